"""A pool of processes that survives the death of its workers.

The standard pools give up all jobs when one worker is killed; this one reports the job
that was lost and starts another worker. Jobs and answers are JSON texts.
"""

import contextlib
import json
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from typing import Any

__all__ = ["Outcome", "cores", "work"]

Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Outcome:
    """What became of a job: an answer, or the sentence that says why there is none."""

    job: int  # its place in the list of jobs
    answer: Any = None
    failure: str | None = None


@dataclass
class _Worker:
    process: Any
    pipe: Any
    job: int | None = None


def cores(jobs: int = 0) -> int:
    """How many jobs run at once: as many as asked for, or one a core.

    Example:
        >>> cores(3)
        3
    """
    return jobs or len(getattr(os, "sched_getaffinity", _all_cores)(0))


def _all_cores(process: int) -> range:
    """For systems that cannot say which cores a process may use."""
    return range(os.cpu_count() or 1)


def work(function: Function, jobs: list[Any], processes: int) -> Generator[Outcome]:
    """Call ``function`` on every job in several processes; yield what comes first.

    Args:
        function: A function of one JSON value, importable by name.
        jobs: JSON values.
        processes: How many run at once.
    """
    waiting = iter(range(len(jobs)))
    workers = [_start(function) for _ in range(min(processes, len(jobs)))]
    try:
        for worker in workers:
            _give(worker, waiting, jobs)
        while any(worker.job is not None for worker in workers):
            busy = {worker.pipe: worker for worker in workers if worker.job is not None}
            for pipe in connection.wait(list(busy)):
                worker = busy[pipe]
                outcome = _collect(worker)
                if outcome.failure is not None and not worker.process.is_alive():
                    worker.pipe.close()
                    workers[workers.index(worker)] = worker = _start(function)
                _give(worker, waiting, jobs)
                yield outcome
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()


def _start(function: Function) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(function, theirs), daemon=True)
    with _deaf_to_interrupts():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl-C; we hear it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # only POSIX has it
        yield
        return
    resource_tracker.ensure_running()  # it would end the block when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _give(worker: _Worker, waiting: Iterator[int], jobs: list[Any]) -> None:
    worker.job = next(waiting, None)
    if worker.job is None:
        return
    with contextlib.suppress(OSError):  # it died in between: its pipe will say so
        worker.pipe.send_bytes(json.dumps(jobs[worker.job]).encode())


def _collect(worker: _Worker) -> Outcome:
    assert worker.job is not None
    try:
        answered, value = json.loads(worker.pipe.recv_bytes())
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        return Outcome(worker.job, failure=f"its process died (exit code {code})")
    return (
        Outcome(worker.job, answer=value)
        if answered
        else Outcome(worker.job, failure=value)
    )


def _serve(function: Function, pipe: Any) -> None:
    """Answer jobs until the parent is gone; Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            job = json.loads(pipe.recv_bytes())
        except EOFError:
            return
        try:
            answer = json.dumps([True, function(job)])
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{os.path.basename(last.filename)}:{last.lineno}"
            answer = json.dumps([False, f"{type(error).__name__}: {error} ({place})"])
        pipe.send_bytes(answer.encode())


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)

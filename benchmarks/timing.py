"""Interleaved timing in one process, so that a busy moment hits all sides alike."""

import contextlib
import gc
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Patience:
    """How long to look, and what is not worth waiting for."""

    seconds: float = 0.2  # of timing per call, after the fewest rounds
    rounds: int = 11
    fewest: int = 5
    once: float = 0.8  # a call slower than this is timed once
    sample: float = 0.002  # shorter calls are repeated within a sample
    hopeless: float = 120.0  # rivals expected to need longer are left out
    quick: bool = False


FULL = Patience()
QUICK = Patience(seconds=0.03, rounds=9, fewest=3, once=0.15, hopeless=0.5, quick=True)


@dataclass(frozen=True)
class Timing:
    """Seconds per call: medians over ``rounds`` samples."""

    cpu: float  # of all threads of the process
    wall: float
    rounds: int


def interleaved(calls: dict[str, Callable], patience=FULL) -> dict[str, Timing]:
    """Time calls in turn, round after round; a slow call drops out of later rounds."""
    last = {name: _sample(call, 1) for name, call in calls.items()}
    for name, (_, wall) in last.items():
        if wall < max(4 * patience.once, 3):  # the first call may have been setting up
            last[name] = _sample(calls[name], 1)
    slow = {name: Timing(*t, 1) for name, t in last.items() if t[1] > patience.once}
    second = {name: t for name, t in last.items() if name not in slow}
    repeats = {n: max(1, int(patience.sample / t[1])) for n, t in second.items()}
    samples: dict[str, list] = {name: [] for name in second}
    gc.collect()
    order, shuffler = list(samples), random.Random(0)
    for _ in range(patience.rounds):
        shuffler.shuffle(order)  # nobody always finds the caches of the same one
        for name in order:
            times = samples[name]
            spent = repeats[name] * sum(wall for _, wall in times)
            if len(times) < patience.fewest or spent < patience.seconds:
                times.append(_sample(calls[name], repeats[name]))
    return {n: slow.get(n) or _median(samples[n]) for n in calls}


def _sample(call, repeats):
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(repeats):
        call()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return cpu / repeats, wall / repeats


def _median(samples):
    cpu, wall = zip(*samples, strict=True)
    return Timing(statistics.median(cpu), statistics.median(wall), len(samples))


def forward(function, x):
    """A call that runs ``function`` forward alone."""

    def call():
        with torch.no_grad():
            function(x)

    return call


def forward_backward(function, x, inputs):
    """A call that runs ``function`` and takes the gradient of ``inputs``."""
    upstream = []  # drawn at the first call, laid out as the output is

    def call():
        z = function(x)
        if not upstream:
            upstream.append(torch.randn_like(z))
        torch.autograd.grad(z, inputs, upstream[0], allow_unused=True)

    return call


@contextlib.contextmanager
def threads(count):
    """Let torch use this many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load():
    """The load average over one minute."""
    return round(os.getloadavg()[0], 2)

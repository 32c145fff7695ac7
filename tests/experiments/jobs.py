"""Functions that the workers of a pool can import."""

import os
import signal
import time


def double(job):
    return 2 * job


def misbehave(job):
    if job == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "raise":
        raise ValueError("`job` must be good")
    if job == "no JSON":
        return {1, 2}
    time.sleep(0.05)
    return job

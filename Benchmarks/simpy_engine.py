"""The engine's workload in SimPy: the same sleeps as EngineWorkload.swift, one event each.

    simpy_engine.py TASKS SLEEPS

runs it twice, times the second run, and prints one JSON object.
"""

import json
import sys
import time

import simpy

TASKS, SLEEPS = int(sys.argv[1]), int(sys.argv[2])


def sleeper(environment, task):
    for sleep in range(SLEEPS):
        yield environment.timeout(1000 + (task * 7919 + sleep * 104_729) % 1_000_000)


def run():
    environment = simpy.Environment()
    start = time.perf_counter()
    for task in range(TASKS):
        environment.process(sleeper(environment, task))
    environment.run()
    return time.perf_counter() - start, environment.now


run()
seconds, end = run()
print(json.dumps({"events": TASKS * SLEEPS, "seconds": seconds, "end_ns": end}))

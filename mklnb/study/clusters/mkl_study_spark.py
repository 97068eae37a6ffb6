"""Runs a study on Apache Spark: one Spark task for each shard of mkl-study. README.md explains how to call it."""

import argparse
import contextlib
import ctypes
import logging
import os
import re
import signal
import socket
import socketserver
import subprocess
import sys
import time
from concurrent import futures

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext, SparkFiles, TaskContext


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--store", required=True, help="folder of results, which all workers share")
    p.add_argument("--program", default="./mkl-study", help="the program, which the job sends to the workers")
    p.add_argument("--shards", type=int, help="number of shards (default: one for every four splits)")
    p.add_argument("--master", help="address such as spark://HOST:7077, if spark-submit does not give it")
    p.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
    p.add_argument("--interval", type=float, default=5, help="seconds between two lines of progress")
    p.add_argument("study", help="file that study.Save wrote, with the data")
    return p.parse_args()


def command(verb, program, store, study, *flags):
    """Returns a command line of mkl-study."""
    return [program, verb, "-store", store, *flags, study]


def list_splits(a):
    """Returns (split, whether all its results are stored) for each split of the study."""
    listed = subprocess.run(command("list", a.program, a.store, a.study), capture_output=True, text=True)
    if listed.returncode not in (0, 3):  # 3: some splits are left
        sys.exit(listed.stderr)
    lines = [line.split("\t") for line in listed.stdout.splitlines()]
    return [(split, state == "done") for state, split in lines]


def count_left(splits):
    return sum(not done for _, done in splits)


def make_task(a, shards):
    """Returns the function that runs a shard, (index, names of its splits), in a task."""
    store, names = os.path.abspath(a.store), [os.path.basename(f) for f in (a.program, a.study)]

    def task(item):
        shard, splits = item
        libc = ctypes.CDLL(None)  # prctl(PR_SET_PDEATHSIG, SIGTERM): mkl-study stops when Spark kills this process
        program, study = [SparkFiles.get(f) for f in names]
        done = subprocess.run(command("run", program, store, study, f"-shard={shard}/{shards}"),
                              stderr=subprocess.PIPE, text=True, preexec_fn=lambda: libc.prctl(1, signal.SIGTERM),
                              env=dict(os.environ, GOMAXPROCS=str(TaskContext.get().cpus())))
        if done.returncode:
            print(done.stderr, file=sys.stderr)  # into the log of the executor
            text = done.stderr.strip()  # Go prints the message of a panic before its traces
            text = text if len(text) < 4000 else f"{text[:2000]}\n[…]\n{text[-2000:]}"
            raise RuntimeError(f"shard {shard} ({splits}) failed with status {done.returncode} "
                               f"on {socket.gethostname()}:\n{text}")

    return task


def run_job(sc, a, splits):
    """Runs the shards that have splits left."""
    for path in (a.program, a.study):
        sc.addFile(os.path.abspath(path))
    n = a.shards or max(1, len(splits) // 4)
    shards = sorted({i % n for i, (_, done) in enumerate(splits) if not done})
    print(f"{count_left(splits)} of {len(splits)} splits are left, in {len(shards)} of {n} shards", flush=True)
    items = [(i, ", ".join(split for split, _ in splits[i::n])) for i in shards]
    sc.parallelize(items, len(items)).foreach(make_task(a, n))


def run_splits(a, splits):
    """Runs the splits that are left, prints the progress, and returns why some may still be left."""
    settings = {"spark.ui.showConsoleProgress": "false"} | dict(setting.split("=", 1) for setting in a.conf)
    attempts = int(settings.get("spark.task.maxFailures", 4))
    if attempts > 1:  # a shard that fails twice on one executor runs on another, which may be healthy
        settings = {"spark.excludeOnFailure.enabled": "true",
                    "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor": str(min(2, attempts - 1)),
                    "spark.excludeOnFailure.task.maxTaskAttemptsPerNode": str(attempts - 1)} | settings
    conf = SparkConf().setAppName("mkl-study").setAll(settings.items())
    sc = SparkContext(conf=conf.setMaster(a.master) if a.master else conf)
    sc.setLogLevel("WARN")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the handler of SparkContext fails during a call of Java
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Spark may end first, if a signal reaches all processes. Its connections would print their tracebacks.
    logging.disable(logging.CRITICAL)
    socketserver.BaseServer.handle_error = lambda *_: None
    pool = futures.ThreadPoolExecutor(1)
    try:
        job, began = pool.submit(run_job, sc, a, splits), time.monotonic()
        first, left, changed = count_left(splits), count_left(splits), began
        while not futures.wait([job], a.interval).done:
            try:
                splits, now = list_splits(a), time.monotonic()
            except SystemExit as e:  # the tasks may be healthy; main lists again at the end
                print(f"the results cannot be listed now: {e}", flush=True)
                continue
            left, before = count_left(splits), left
            if left == first:
                began = now  # the time until a worker starts is not part of the rate
            if left < before:
                changed = now
            rate = (first - left) / max(now - began, 1e-9)
            if not rate:
                forecast = "no split has finished in this run"
            elif now - changed > 60 + 10 * (changed - began) / (first - left):  # ten times the mean of this run
                forecast = f"no split has finished for {now - changed:.0f} s"
            else:
                forecast = f"{rate:.2f} splits/s, {left / rate:.0f} s left"
            print(f"splits done: {len(splits) - left}, left: {left}; {forecast}", flush=True)
        job.result()
        return "all tasks have ended, but their results are not in --store: is it a folder that all workers share?"
    except KeyboardInterrupt:
        return "interrupted"
    except Py4JError as e:
        message = re.search(r"RuntimeError: (shard .*?)\n\n", str(e), re.DOTALL)
        return message.group(1) if message else str(e)
    finally:
        with contextlib.suppress(Py4JError, OSError):  # Java may have ended already
            sc.stop()  # cancels the job, and with it all tasks


def main():
    a = parse_arguments()
    splits, reason = list_splits(a), ""
    if count_left(splits):
        reason = run_splits(a, splits)
    left = count_left(list_splits(a))
    if left:
        sys.exit(f"{reason}\n{left} of {len(splits)} splits are left; run the job again: it keeps what is finished")
    sys.exit(subprocess.run(command("show", a.program, a.store, a.study)).returncode)


if __name__ == "__main__":
    main()

"""Times notebook cells through real kernels: as peers.py, but a request is {"cell": name}.

Each cell of the order {"warm_ups", "cells": {name: {"kernel", "before", "cell", "charts"}}} gets a process of its kernel
of its own, which has run "before" and the warm-ups. NUMBER in a cell stands for one that makes each execution a new
program. A reply has the charts that did not arrive, "lost", beside the time.
"""
import json, re, sys, time

from jupyter_client.manager import KernelManager

CHART = re.compile(r"""class=["'][^"']*\bmkl-chart\b.*?<img\b[^>]*\bsrc=["']data:image/""", re.S)


def reply(**what):
    print(json.dumps(what), flush=True)


def execute(client, code):
    """The time until the kernel is idle again, the charts shown, and what was printed."""
    t = time.perf_counter()
    mine, charts, text = client.execute(code), 0, ""
    while True:
        message = client.get_iopub_msg(timeout=120)
        if message["parent_header"].get("msg_id") != mine:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "stream":
            text += content["text"]
        elif kind in ("display_data", "update_display_data"):
            charts += len(CHART.findall("".join(content["data"].get("text/html", ""))))
        elif kind == "error":
            raise RuntimeError(content["evalue"] + ": " + text[-300:])
        elif kind == "status" and content["execution_state"] == "idle":
            return time.perf_counter() - t, charts, text


def run(cell, number):
    code = cell["cell"].replace("NUMBER", str(number))
    seconds, charts, text = execute(cell["client"], code)
    if (str(number) if "NUMBER" in cell["cell"] else "again") not in text and cell["charts"] == 0:
        raise RuntimeError("the cell did not print what it is to: " + text[-300:])
    return seconds, max(cell["charts"] - charts, 0)


order = json.loads(sys.stdin.readline())
cells, managers, number = order["cells"], [], 1000
try:
    for cell in cells.values():
        m = KernelManager(kernel_name=cell["kernel"])
        managers.append(m)
        m.start_kernel()
        cell["client"] = m.client()
        cell["client"].start_channels()
        cell["client"].wait_for_ready(timeout=120)
        execute(cell["client"], cell["before"])
        for _ in range(order["warm_ups"]):
            number += 1
            run(cell, number)
    reply()
    for line in sys.stdin:
        number += 1
        try:
            seconds, lost = run(cells[json.loads(line)["cell"]], number)
            reply(seconds=seconds, lost=lost)
        except Exception as e:
            reply(error=f"{type(e).__name__}: {e}")
except Exception as e:
    reply(error=f"{type(e).__name__}: {e}")
finally:
    for m in managers:
        m.shutdown_kernel(now=False)

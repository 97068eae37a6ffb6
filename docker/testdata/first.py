"""first.py NOTEBOOK: runs a notebook with the installed kernel spec. Prints one line of JSON: the start time of the kernel
and the time of each cell in seconds, and the cells that failed."""
import asyncio, json, sys, time

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
client = NotebookClient(notebook, kernel_name="mkl", timeout=120, startup_timeout=60, allow_errors=True)
facts = {"cells": [], "failed": []}


async def run():
    start = time.monotonic()
    async with client.async_setup_kernel():
        facts["kernel"] = round(time.monotonic() - start, 2)
        facts["spec"] = client.km.kernel_spec.resource_dir
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            start = time.monotonic()
            await client.async_execute_cell(cell, index)
            facts["cells"].append(round(time.monotonic() - start, 2))
            for output in cell.outputs:
                if output.output_type == "error":
                    facts["failed"].append(f"cell {len(facts['cells'])}: {output}"[:400])


asyncio.run(run())
print("facts " + json.dumps(facts))

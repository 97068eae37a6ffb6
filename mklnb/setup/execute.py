import asyncio, html, json, os, re, signal, sys, threading, time

order = json.loads(sys.stdin.readline())


def say(kind, text=""):
    print((kind + " " + " ".join(text.split("\n"))).rstrip(), flush=True)


class Stopped(Exception):
    pass


# What a cell's program leaves on stderr when it did not end well, and GoNB's box around the lines of a compile error.
UNWELL = re.compile(r"^(exit status [1-9]\d*|signal: .*|panic: .*|fatal error: .*)$", re.M)
CHART = re.compile(r"""<[a-z]+\b[^>]*\bclass=["'][^"']*\bmkl-chart\b""")
PICTURE = re.compile(r"""<img\b[^>]*\bsrc=["']data:image/""")
CHECK = re.compile(r"""<div class=["']mkl-check["']><b[^>]*>([✓✗])</b>""")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def joined(text):
    return "".join(text) if isinstance(text, list) else text


def unbroken(outputs):
    """Outputs, of which printed text that came in pieces is one again: a page starts a line for each."""
    whole = []
    for output in outputs:
        if whole and output.output_type == whole[-1].output_type == "stream" and output.name == whole[-1].name:
            whole[-1].text = joined(whole[-1].text) + joined(output.text)
        else:
            whole.append(output)
    return whole


def failures(cell):
    """What went wrong in a cell, in one line, "" for nothing."""
    errors, box, stderr, shown = [], "", "", ""
    for output in cell.outputs:
        if output.output_type == "error":
            errors.append(output.evalue or output.ename)
        elif output.output_type == "stream" and output.name == "stderr":
            stderr += ANSI.sub("", joined(output.text))
        elif "data" in output:
            page = joined(output.data.get("text/html", ""))
            if "gonb-err-location" in page:
                # Lines of source stand in elements of their own, which only a mouse shows.
                box = html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", "", page.replace("<div", "\n<div"), flags=re.S))
            elif "text/plain" in output.data:
                shown = joined(output.data["text/plain"])
    unwell = UNWELL.findall(stderr)
    if not errors and not unwell and not box:
        return ""
    if not unwell and box:
        lines = [line.strip() for line in box.split("\n") if re.search(r"\.go:\d+", line)]
        return "does not compile: " + (" | ".join(lines) or " ".join(box.split()))[:400]
    # The reason stands before the status: on stderr, or in what the cell showed last.
    reason = [line.strip() for line in stderr.split("\n") if line.strip() and line not in unwell] or shown.split("\n")[-1:]
    return ": ".join(([unwell[0]] if unwell else errors[:1]) + [" | ".join(reason)[:400]]).strip(": ")


def charts(cell):
    count = 0
    for output in cell.outputs:
        if "data" in output:
            text = joined(output.data.get("text/html", ""))
            if PICTURE.search(text):
                count += len(CHART.findall(text))
    return count


def counted(notebook):
    """How many checks the cells have shown, and how many of them failed; "" where there is none."""
    marks = [mark for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if "data" in output
             for mark in CHECK.findall(joined(output.data.get("text/html", "")))]
    failed = marks.count("✗")
    return f"{len(marks)} check{'s' * (len(marks) != 1)}, {failed or 'none'} failed" if marks else ""


def judge(number, cell):
    told = failures(cell)
    allowed = "raises-exception" in cell.metadata.get("tags", [])
    if told and not allowed:
        say("complain", f"cell {number}: {told}")
    if allowed and not told:
        say("complain", f"cell {number}: is tagged raises-exception and raised nothing")
    expected = list(cell.metadata.get("mkl_expect", []))
    unknown = [word for word in expected if word != "chart"]
    if unknown:
        say("complain", f"cell {number}: mkl_expect has {unknown}, expected the word chart once for each chart")
    want, got = expected.count("chart"), charts(cell)
    if got < want:
        say("complain", f"cell {number}: {got} of {want} expected charts")
    return bool(told) and not allowed


def kill_group(pid):
    """The kernel leads a group of its own; a cell that still runs belongs to it."""
    if pid:
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


async def run(notebook):
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    client = NotebookClient(
        notebook, kernel_name=order["kernel"], timeout=order["timeout"], startup_timeout=120, allow_errors=True,
        resources={"metadata": {"path": os.path.dirname(order["notebook"])}}, shutdown_kernel="immediate",
    )
    cells = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    main, loop = asyncio.current_task(), asyncio.get_running_loop()
    # Not sys.stdin, whose lock a waiting thread would hold when the interpreter ends.
    threading.Thread(target=lambda: (os.read(0, 1), loop.call_soon_threadsafe(main.cancel)), daemon=True).start()
    pid = None
    try:
        async with client.async_setup_kernel():
            # nbclient hangs its own handlers on these; ours end the run the same way every time.
            for sig in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(sig, main.cancel)
            pid = getattr(client.km.provisioner, "pid", None)
            for number, (index, cell) in enumerate(cells, 1):
                start = time.monotonic()
                try:
                    await client.async_execute_cell(cell, index)
                except CellTimeoutError:
                    say("complain", f"cell {number}: took longer than {order['timeout']:.0f} s")
                    break
                except DeadKernelError:
                    say("complain", f"cell {number}: the kernel died")
                    break
                failed = judge(number, cell)
                say("say", f"cell {number} of {len(cells)}: {'failed' if failed else 'done'}, {time.monotonic() - start:.1f} s")
    finally:
        kill_group(pid)


def export(notebook):
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(require_js_url="", jquery_url="", theme=order["theme"])
    exporter.mathjax_url = ""  # of another server
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": os.path.splitext(os.path.basename(order["notebook"]))[0]}})
    # Libraries stand in the page, once, and only where they are used.
    scripts = TABLES
    if any(charts(cell) for cell in notebook.cells if cell.cell_type == "code"):
        # Ahead of every chart. Shadowed define, exports and module keep it from registering with a module
        # loader of the page, which would leave window.echarts undefined.
        scripts += "<script>(function(){if(window.echarts)return;var define,exports,module;\n" + library("echarts") + "\n}).call(window);</script>\n"
    if any(FORMULA.search(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"):
        scripts += HIDDEN + "<script>window.MathJax=" + json.dumps(MATHJAX) + ";</script>\n<script>" + library("mathjax") + "</script>\n"
    at, end = page.index("</head>"), page.rindex("</main>")
    count = COUNT % counted(notebook) if counted(notebook) else ""
    write(order["html"], page[:at] + scripts + page[at:end] + count + page[end:])


# Ten columns of a table fit into a page of 1,100 pixels; where letters are wide, what stands at the left of its column
# is broken.
TABLES = ("<style>.jp-RenderedHTMLCommon .mkl-table :is(td,th){padding:.3em .4em}"
          ".mkl-table :is(td,th)[style*='text-align:left']{white-space:normal!important}</style>\n")

# The last line of a page, in the place and the letters of a cell's text.
COUNT = ('<p class="mkl-count" style="margin:1em 0 0 calc(var(--jp-cell-prompt-width) + var(--jp-cell-padding));color:'
         'var(--jp-content-font-color1);font-family:var(--jp-content-font-family)">%s.</p>')

# MathJax hides MathML for screen readers over each formula. With a tag it is higher than the formula, and the
# cell would get a scroll bar for it.
HIDDEN = "<style>mjx-container mjx-assistive-mml{width:1px!important;height:1px!important}</style>\n"

FORMULA = re.compile(r"\$|\\\(|\\\[|\\begin\{")

# What JupyterLab typesets, and nothing else: markdown, of cells and of outputs. No package that loads a file or
# makes a link.
MATHJAX = {
    "tex": {
        "inlineMath": [["$", "$"], ["\\(", "\\)"]], "displayMath": [["$$", "$$"], ["\\[", "\\]"]],
        "processEscapes": True, "processEnvironments": True, "tags": "ams", "packages": {"[-]": ["html", "require", "autoload"]},
    },
    "options": {"enableMenu": False, "ignoreHtmlClass": "jp-Cell", "processHtmlClass": "jp-RenderedMarkdown|jp-RenderedLatex"},
}


def library(name):
    """The text of a library as it can stand in a script element, which the string </script would close."""
    with open(order[name], encoding="utf-8") as file:
        return file.read().replace("</script", "<\\/script")


def write(path, text):
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def main():
    import nbformat

    try:
        notebook = nbformat.read(order["notebook"], as_version=4)
    except Exception as err:
        say("complain", f"not a notebook: {str(err)[:200]}")
        return 1
    try:
        if not order["as_is"]:
            asyncio.run(run(notebook))
    except asyncio.CancelledError:
        say("complain", "stopped")
        return 1
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of this run: noise in a file that is kept
        if cell.cell_type == "code":
            cell.outputs = unbroken(cell.outputs)
    if counted(notebook):
        say("say", counted(notebook))
    if order.get("executed"):
        write(order["executed"], nbformat.writes(notebook) + "\n")
    if order.get("html"):
        export(notebook)
    say("finished")
    return 0


sys.exit(main())

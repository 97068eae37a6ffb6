import asyncio, json, os, re, signal, sys, threading, time

order = json.loads(sys.stdin.readline())


def send(kind, text=""):
    """Prints one line for the program that started this script: its kind, then its text."""
    print((kind + " " + " ".join(text.split("\n"))).rstrip(), flush=True)


# Lines on stderr after a program that failed.
FAILED = re.compile(r"^(exit status [1-9]\d*|signal: .*|panic: .*|fatal error: .*)$", re.M)
CHART = re.compile(r"""<[a-z]+\b[^>]*\bclass=["'][^"']*\bmkl-chart\b""")
PICTURE = re.compile(r"""<img\b[^>]*\bsrc=["']data:image/""")
CHECK = re.compile(r"""<div class=["']mkl-check["']><b[^>]*>([✓✗])</b>""")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def joined(text):
    """Returns a text that a notebook may store as a list of lines."""
    return "".join(text) if isinstance(text, list) else text


def merge_streams(outputs):
    """Joins printed text that arrived in pieces. A page starts a new line for each piece."""
    whole = []
    for output in outputs:
        if whole and output.output_type == whole[-1].output_type == "stream" and output.name == whole[-1].name:
            whole[-1].text = joined(whole[-1].text) + joined(output.text)
        else:
            whole.append(output)
    return whole


def failure(cell):
    """Returns the failure of a cell in one line, "" if it has none."""
    errors, stderr, shown = [], "", ""
    for output in cell.outputs:
        if output.output_type == "error" and output.ename == "CompileError":
            lines = [line for line in output.evalue.split("\n") if line.startswith("Cell[")] or output.evalue.split("\n")
            return "does not compile: " + " | ".join(lines)[:400]
        if output.output_type == "error":
            errors.append(output.evalue or output.ename)
        elif output.output_type == "stream" and output.name == "stderr":
            stderr += ANSI.sub("", joined(output.text))
        elif "data" in output and "text/plain" in output.data:
            shown = joined(output.data["text/plain"])
    failed_lines = FAILED.findall(stderr) + errors
    if not failed_lines:
        return ""
    # The reason precedes the status: on stderr, or in the last display of the cell.
    reason = [line.strip() for line in stderr.split("\n") if line.strip() and line not in failed_lines] or shown.split("\n")[-1:]
    return ": ".join([failed_lines[0], " | ".join(reason)[:400]]).strip(": ")


def count_charts(cell):
    """Returns the number of charts with a picture in the outputs of a cell."""
    count = 0
    for output in cell.outputs:
        if "data" in output:
            text = joined(output.data.get("text/html", ""))
            if PICTURE.search(text):
                count += len(CHART.findall(text))
    return count


def count_checks(notebook):
    """Returns how many checks the cells have shown and how many of them failed, "" if there is no check."""
    marks = [mark for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if "data" in output
             for mark in CHECK.findall(joined(output.data.get("text/html", "")))]
    failed = marks.count("✗")
    return f"{len(marks)} check{'s' * (len(marks) != 1)}, {failed or 'none'} failed" if marks else ""


def check_cell(number, cell):
    """Reports what is wrong with the outputs of a cell, and returns whether the cell failed."""
    found = failure(cell)
    allowed = "raises-exception" in cell.metadata.get("tags", [])
    if found and not allowed:
        send("complain", f"cell {number}: {found}")
    expected = list(cell.metadata.get("mkl_expect", []))
    unknown = [word for word in expected if word != "chart"]
    if unknown:
        send("complain", f"cell {number}: mkl_expect has {unknown}; write the word chart once for each chart")
    shown = count_charts(cell)
    if shown < expected.count("chart"):
        send("complain", f"cell {number}: {shown} of {expected.count('chart')} expected charts")
    return bool(found) and not allowed


def kill_group(pid):
    """Ends the kernel and a cell that still runs: the kernel leads a process group, to which both belong."""
    if pid:
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def clear_outputs(notebook):
    """Removes the stored outputs, so that no output of an earlier run remains after a cell that did not run."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


async def run(notebook):
    """Runs the code cells and returns whether the kernel is still alive at the end."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    client = NotebookClient(
        notebook, kernel_name=order["kernel"], timeout=order["timeout"], startup_timeout=120, allow_errors=True,
        resources={"metadata": {"path": os.path.dirname(order["notebook"])}}, shutdown_kernel="immediate",
    )
    clear_outputs(notebook)
    cells = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    main, loop = asyncio.current_task(), asyncio.get_running_loop()
    # os.read, because a thread that waits in sys.stdin.read holds its lock when the interpreter ends.
    threading.Thread(target=lambda: (os.read(0, 1), loop.call_soon_threadsafe(main.cancel)), daemon=True).start()
    pid = None
    try:
        async with client.async_setup_kernel():
            # nbclient installs its own handlers; these end the run in the same way every time.
            for sig in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(sig, main.cancel)
            pid = getattr(client.km.provisioner, "pid", None)
            for number, (index, cell) in enumerate(cells, 1):
                start = time.monotonic()
                try:
                    await client.async_execute_cell(cell, index)
                except CellTimeoutError:
                    send("complain", f"cell {number}: took longer than {order['timeout']:.0f} s")
                    break
                except DeadKernelError:
                    send("died", f"the kernel died in cell {number} of {len(cells)}; no cell after it ran")
                    return False
                failed = check_cell(number, cell)
                send("say", f"cell {number} of {len(cells)}: {'failed' if failed else 'done'}, {time.monotonic() - start:.1f} s")
    finally:
        kill_group(pid)
    return True


def export(notebook, checks):
    """Writes the notebook as an HTML page that needs no server. Its last line is the count of checks, if not ""."""
    from jinja2 import DictLoader
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(require_js_url="", jquery_url="", template_file="folded.html.j2", extra_loaders=[DictLoader({"folded.html.j2": FOLDED})])
    exporter.mathjax_url = ""  # the default is on another server
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": os.path.splitext(os.path.basename(order["notebook"]))[0]}})
    # The page contains each library once, and only if it uses the library.
    scripts = TABLES + FOLDS + DARK
    if any(count_charts(cell) for cell in notebook.cells if cell.cell_type == "code"):
        # Before every chart. The shadowed names define, exports and module prevent ECharts from registering with a
        # module loader of the page; otherwise window.echarts would stay undefined.
        scripts += "<script>(function(){if(window.echarts)return;var define,exports,module;\n" + library("echarts") + "\n}).call(window);</script>\n"
    if any(FORMULA.search(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"):
        scripts += HIDDEN + "<script>window.MathJax=" + json.dumps(MATHJAX) + ";</script>\n<script>" + library("mathjax") + "</script>\n"
    at, end = page.index("</head>"), page.rindex("</main>")
    last = COUNT % checks if checks else ""
    write(order["html"], page[:at] + scripts + page[at:end] + last + page[end:])


# With this padding, ten columns of a table fit into a page of 1,100 pixels. Left-aligned text wraps if the font is wide.
TABLES = ("<style>.jp-RenderedHTMLCommon .mkl-table :is(td,th){padding:.3em .4em}"
          ".mkl-table :is(td,th)[style*='text-align:left']{white-space:normal!important}"
          # Paper does not scroll: long lines of code break, and tables are small.
          "@media print{.jp-InputArea .highlight pre{white-space:pre-wrap!important;overflow-wrap:anywhere}"
          ".jp-OutputArea-output,.mkl-chart{overflow:hidden!important}.mkl-table{zoom:.72}}</style>\n")

# The code of a cell with jupyter.source_hidden is folded. Its first line, a comment, is the title, as in JupyterLab.
FOLDED = """{% extends 'index.html.j2' %}
{% block input %}{% if (cell.metadata.jupyter or {}).source_hidden %}<details class="mkl-folded"><summary>{{ cell.source.split("\\n")[0].lstrip("/ ") | e }}</summary>
{{ super() }}
</details>{% else %}{{ super() }}{% endif %}{% endblock input %}
"""
FOLDS = """<style>.mkl-folded{flex:1 1 auto;min-width:0}
.mkl-folded>summary{padding:var(--jp-code-padding);color:var(--jp-content-font-color2);font-family:var(--jp-content-font-family);
font-size:var(--jp-content-font-size1);cursor:pointer}
</style>
"""

# A page follows the theme of the system. The page of nbconvert has the colors of the light theme only: these are the
# same variables for the dark one. Charts are drawn for white paper, so their lightness is inverted.
DARK = """<style>@media screen and (prefers-color-scheme:dark){
:root{color-scheme:dark;--jp-layout-color0:#111;--jp-layout-color1:#1b1b1b;--jp-layout-color2:#2b2b2b;--jp-layout-color3:#3b3b3b;
--jp-ui-font-color0:#fff;--jp-ui-font-color1:#e0e0e0;--jp-content-font-color0:#fff;--jp-content-font-color1:#e0e0e0;
--jp-content-font-color2:#c4c4c4;--jp-content-font-color3:#a8a8a8;--jp-content-link-color:#7db8ff;
--jp-border-color0:#555;--jp-border-color1:#4a4a4a;--jp-border-color2:#3a3a3a;--jp-border-color3:#2a2a2a;
--jp-cell-editor-background:#1b1b1b;--jp-cell-editor-border-color:#3a3a3a;--jp-rendermime-error-background:#4a1d1d;
--jp-rendermime-table-row-background:#222;--jp-rendermime-table-row-hover-background:#2f3a46;--jp-cell-prompt-not-active-font-color:#a8a8a8;--jp-cell-prompt-not-active-opacity:1;
--jp-mirror-editor-keyword-color:#6fbf73;--jp-mirror-editor-string-color:#ff9d8a;--jp-mirror-editor-comment-color:#9db5b8;
--jp-mirror-editor-number-color:#8ccf8f;--jp-mirror-editor-operator-color:#c9a0ff;--jp-mirror-editor-variable-color:#e0e0e0;
--jp-mirror-editor-builtin-color:#6fbf73;--jp-mirror-editor-def-color:#7db8ff;--jp-mirror-editor-punctuation-color:#9cc8ff}
body{background:var(--jp-layout-color0)}
.mkl-page.mkl-page{--mkl-good:#4cc38a;--mkl-doubt:#f0a33a}
.mkl-chart.mkl-chart{filter:invert(.93) hue-rotate(180deg)}
}</style>
"""

# The last line of a page, with the position and the font of a cell's text.
COUNT = ('<p class="mkl-count" style="margin:1em 0 0 calc(var(--jp-cell-prompt-width) + var(--jp-cell-padding));color:'
         'var(--jp-content-font-color1);font-family:var(--jp-content-font-family)">%s.</p>')

# MathJax hides MathML for screen readers over each formula. If the formula has a tag, the MathML is higher than the
# formula, and without this style the cell would get a scroll bar.
HIDDEN = "<style>mjx-container mjx-assistive-mml{width:1px!important;height:1px!important}</style>\n"

FORMULA = re.compile(r"\$|\\\(|\\\[|\\begin\{")

# As in JupyterLab, only Markdown is typeset, of cells and of outputs. Packages that load a file or make a link are off.
MATHJAX = {
    "tex": {
        "inlineMath": [["$", "$"], ["\\(", "\\)"]], "displayMath": [["$$", "$$"], ["\\[", "\\]"]],
        "processEscapes": True, "processEnvironments": True, "tags": "ams", "packages": {"[-]": ["html", "require", "autoload"]},
    },
    "options": {"enableMenu": False, "ignoreHtmlClass": "jp-Cell", "processHtmlClass": "jp-RenderedMarkdown|jp-RenderedLatex"},
}


def library(name):
    """Returns the text of a library for use in a script element, which the string </script would close."""
    with open(order[name], encoding="utf-8") as file:
        return file.read().replace("</script", "<\\/script")


def write(path, text):
    """Writes a file, completely or not at all."""
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def main():
    import nbformat

    try:
        notebook = nbformat.read(order["notebook"], as_version=4)
    except Exception as err:
        send("complain", f"not a notebook: {str(err)[:200]}")
        return 1
    try:
        alive = asyncio.run(run(notebook))
    except asyncio.CancelledError:
        send("complain", "stopped")
        return 1
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times of this run
        if cell.cell_type == "code":
            cell.outputs = merge_streams(cell.outputs)
    checks = count_checks(notebook) if alive else ""
    if checks:
        send("say", checks)
    if order.get("executed"):
        write(order["executed"], nbformat.writes(notebook) + "\n")
    if order.get("html"):
        export(notebook, checks)
    send("finished")
    return 0


sys.exit(main())

"use strict";
const $ = (id) => document.getElementById(id);
const show = (id, on = true) => { $(id).hidden = !on; };
let program, code, worker, ready; // the Go program, the code of its worker, the worker, and a promise of the names of data sets
let files = [], example = "", opened = null; // the data that were chosen, and the answer about them
let turn = 0, requests = 0, isStopping = false; // numbers of choices of data and of requests; whether Stop was clicked
const waiting = new Map(); // what becomes of the answer to each request

// load fetches the program. Afterwards no request is possible: the second policy forbids connections, and workers inherit it.
async function load() {
  const [glue, own, packed] = await Promise.all(["wasm_exec.js", "worker.js", "app.wasm.gz"].map((f) => fetch(f)));
  if (![glue, own, packed].every((r) => r.ok)) throw new Error("a file of the page is missing");
  code = (await glue.text()) + (await own.text());
  program = await WebAssembly.compile(await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "connect-src 'none'";
  document.head.append(policy);
  start();
  for (const name of await ready) $("example").add(new Option(name));
  $("files").disabled = $("example").disabled = false;
  $("privacy").textContent = "Your data stay in this page: it is loaded, and a security policy now forbids it every request. You may switch the network off.";
}

// start starts a worker with the program.
function start() {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  worker = new Worker(url);
  URL.revokeObjectURL(url);
  ready = new Promise((resolve) => {
    worker.onmessage = ({ data: { id, answer } }) => {
      if (id === "ready") resolve(answer);
      else if (id === "progress") progress(answer);
      else if (id === "ended") end("The program ran out of memory or ended. Use fewer rows here, or a notebook, which has the memory of the machine.");
      else { waiting.get(id)?.(answer); waiting.delete(id); }
    };
  });
  worker.postMessage({ program });
}

// restart ends the worker and starts another. Requests that wait get an error.
function restart(message) {
  worker.terminate();
  const unanswered = [...waiting.values()];
  waiting.clear();
  for (const f of unanswered) f({ Error: message });
  start();
}

// end ends the work and reads the data again, because the program has lost them.
async function end(message) {
  restart(message);
  if (!opened) return;
  await open();
  fail("result", message);
}

// ask sends a request to the worker, with files. If the worker is restarted, the answer is an error.
function ask(method, request = {}, files = []) {
  const id = ++requests;
  ready.then(() => { if (waiting.has(id)) worker.postMessage({ id, method, request, files }); });
  return new Promise((resolve) => { waiting.set(id, resolve); });
}

// fail shows an error above the reports of one place.
function fail(where, message = "") {
  $(where + "-error").textContent = message;
  show(where + "-error", message !== "");
}

// fill shows a report, with a button for each piece of code.
function fill(where, html = "") {
  $(where).innerHTML = html;
  for (const box of $(where).querySelectorAll(".mkl-code")) {
    const copy = button("Copy", () => {
      getSelection().selectAllChildren(box.querySelector("pre"));
      copy.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    });
    box.prepend(copy);
  }
}

function button(text, onclick) {
  const b = document.createElement("button");
  b.textContent = text;
  b.onclick = onclick;
  return b;
}

// optionText returns the text of a choice: "no" for none, and "yes" for a setting that is on or off.
function optionText(f, choice) {
  if (choice === "") return "no";
  return choice === "true" && f.Choices.length === 2 && f.Choices[0] === "" ? "yes" : choice;
}

// showFields shows an input for each field that the program asks for.
function showFields(fields) {
  const form = $("settings"), focused = document.activeElement?.form === form && document.activeElement.name;
  form.replaceChildren(...fields.map((f) => {
    const label = document.createElement("label"), title = document.createElement("span");
    const input = document.createElement(f.Choices ? "select" : "input");
    title.textContent = f.Title;
    for (const c of f.Choices || []) input.add(new Option(optionText(f, c), c));
    if (f.IsAsked) {
      label.className = "asked";
      input.setAttribute("aria-describedby", "preview-error");
      if (f.Choices && !f.Choices.includes(f.Value)) input.add(new Option("choose", f.Value), 0);
    }
    input.name = f.Name;
    input.value = f.Value;
    if (!f.Choices) input.placeholder = f.Proposal;
    label.append(title, input);
    return label;
  }));
  if (fields.some((f) => f.IsAsked)) form.append(button("Read again"));
  if (focused) form.elements[focused]?.focus();
  show("settings", fields.length > 0);
}

// clear removes what the page shows of the data and ends the work with them.
function clear() {
  turn++;
  opened = null;
  for (const id of ["preview", "result", "use"]) { fail(id); $(id).replaceChildren(); }
  for (const id of ["learn-section", "use-section", "raw"]) show(id, false);
  if (waiting.size) restart("");
}

// take takes data that a person has chosen: files, or an embedded data set.
function take(list, name) {
  files = list;
  example = $("example").value = name;
  showFields([]);
  open();
}

// open reads the data with the options in the fields.
async function open() {
  clear();
  const a = await run("open", "preview", "reading …", files, { Dataset: example, Options: Object.fromEntries(new FormData($("settings"))) });
  if (!a) return;
  showFields(a.Fields || []);
  if (!a.Error) {
    opened = a;
    show("learn-section");
  } else if (files.length) {
    const t = turn, text = await files[0].slice(0, 2000).text().catch(() => "");
    if (t !== turn) return;
    $("raw").textContent = text.split("\n").slice(0, 12).join("\n");
    show("raw", /^[^\0-\x08\x0e-\x1f]+$/.test(text)); // not a binary file
  }
}

// run sends a request, and shows its answer in one place. It returns nothing if other data are chosen meanwhile. While
// it waits, it shows the progress and a Stop button instead of the other actions.
async function run(method, where, status, list = [], request = {}) {
  fail(where);
  const t = turn, setWorking = (isWorking) => {
    $("work").className = isWorking ? "row" : "unseen";
    for (const actions of document.querySelectorAll("fieldset")) actions.disabled = isWorking;
  };
  isStopping = false;
  $("bar").removeAttribute("value");
  $("status").textContent = status;
  setWorking(true);
  const a = await ask(method, { Files: list.map((f) => f.name), ...request }, list);
  if (t !== turn) return;
  setWorking(false);
  fail(where, a.Error);
  fill(where, a.HTML);
  if (a.bytes) $(where).append(offer(a));
  const answer = $(where).querySelector(".mkl-headline");
  $("status").textContent = answer && !a.Error ? "The answer is there: " + answer.textContent : "";
  return a;
}

function progress(a) {
  if (a.HTML) return fill("result", a.HTML);
  $("bar").value = a.Share;
  if (!isStopping) $("status").textContent = a.Status;
}

// offer returns a button that downloads the file of an answer.
function offer({ File, bytes }) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([bytes]));
  a.download = File;
  return button("Download " + File, () => a.click());
}

// onFiles calls take with the files of an input, in which the same files may then be chosen again.
function onFiles(input, take) {
  input.onchange = () => {
    const list = [...input.files];
    input.value = "";
    if (list.length) take(list);
  };
}
onFiles($("files"), (list) => take(list, ""));
onFiles($("new-files"), (list) => run("predict", "use", "predicting …", list));
$("example").onchange = () => take([], $("example").value);
$("settings").onchange = open;
$("settings").onsubmit = (e) => { e.preventDefault(); open(); };
$("learn").onclick = async () => {
  show("use-section", false);
  fail("use");
  fill("use");
  const a = await run("learn", "result", "learning …");
  if (!a || a.Error) return;
  show("use-section");
  $("result").focus({ preventScroll: true });
};
$("importance").onclick = () => run("importance", "use", "permuting columns …");
$("save").onclick = () => run("save", "use", "writing …");
// The first click stops after the step in progress and keeps what is finished; the second ends the program.
$("stop").onclick = () => {
  if (isStopping) return end("Ended. There is no result.");
  isStopping = true;
  $("status").textContent = "stopping after this step; a second click ends at once, without a result";
  ask("stop");
};
// A file that is dropped beside the boxes must not replace the page.
window.ondragover = window.ondrop = (e) => {
  e.preventDefault();
  for (const box of document.querySelectorAll(".drop")) {
    const isOver = box.contains(e.target);
    box.classList.toggle("over", isOver && e.type === "dragover");
    const input = box.querySelector("input:enabled");
    if (!isOver || e.type !== "drop" || !input) continue;
    input.files = e.dataTransfer.files;
    input.onchange();
  }
};
window.onbeforeunload = () => (waiting.size ? "" : undefined);
// The style sheet of reports has the dark theme of JupyterLab.
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => { document.body.dataset.jpThemeLight = !dark.matches; };
dark.onchange();
load().catch((e) => { $("privacy").textContent = "This page cannot start: " + e.message + ". It needs a browser of 2023 or newer, and a web server (go run ./mklnb/web)."; });

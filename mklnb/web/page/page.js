"use strict";
const $ = (id) => document.getElementById(id);
const show = (id, on = true) => { $(id).hidden = !on; };
const limit = 50 << 20; // bytes of a file
let module_, source, worker, waiting = new Map(), nextID = 0, opened = null, files = [], asked = [], example = "", ready, turn = 0; // ready: the worker takes requests; turn counts the choices of data
let isStopping = false;

// load fetches the program. Afterwards no request is possible: the second policy forbids connections, and workers inherit it.
async function load() {
  const [glue, code, packed] = await Promise.all(["wasm_exec.js", "worker.js", "app.wasm.gz"].map((f) => fetch(f)));
  if (![glue, code, packed].every((r) => r.ok)) throw new Error("a file of the page is missing");
  source = (await glue.text()) + (await code.text());
  const bytes = packed.body.pipeThrough(new DecompressionStream("gzip"));
  module_ = await WebAssembly.compile(await new Response(bytes).arrayBuffer());
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "connect-src 'none'";
  document.head.append(policy);
  start();
  await ready;
  $("privacy-text").textContent = "Your data stay in this page: it is loaded, and a security policy now forbids it every request. You may switch the network off.";
  for (const name of (await ask("list")).Names) $("example").add(new Option(name));
  $("example").disabled = false;
}

// start starts a worker with the program.
function start() {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(url);
  URL.revokeObjectURL(url);
  ready = new Promise((resolve) => {
    worker.onmessage = ({ data: m }) => {
      if (m.ready) resolve();
      else if (m.progress) progress(m.progress);
      else if (m.ended) restart("The program ran out of memory or ended. Use fewer rows here, or a notebook, which has the memory of the machine.");
      else { waiting.get(m.id)?.(m.answer); waiting.delete(m.id); }
    };
    worker.postMessage({ module: module_ });
  });
}

// restart ends the worker and starts another. The data are lost; they are read again, once, unless other data were chosen.
async function restart(message) {
  const unanswered = [...waiting.values()], lost = opened, t = turn;
  opened = null;
  worker.terminate();
  waiting.clear();
  show("use-section", false); // the model is lost
  $("result").innerHTML = "";
  start();
  if (lost) {
    const a = await ask("open", request(), files);
    if (t === turn) opened = a.opened || null;
  }
  for (const f of unanswered) f({ error: message });
}

// ask sends a request to the worker. If that is restarted, the answer is an error.
function ask(method, request = {}, files = []) {
  const id = nextID++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    (async () => {
      const copies = [];
      for (const f of files) copies.push({ name: f.name, bytes: await f.arrayBuffer().catch(() => { throw new Error(`${f.name} cannot be read. If it was changed, choose it again; a folder is not a file.`); }) });
      await ready;
      if (waiting.has(id)) worker.postMessage({ id, method, request, files: copies });
    })().catch((e) => { waiting.delete(id); resolve({ error: e.message }); });
  });
}

function fail(where, message) {
  $(where).textContent = message || "";
  show(where, !!message);
}

// request describes the data as the fields of the page state them.
function request() {
  const options = {}, isTable = !example && kind() === "table";
  for (const e of $("settings").elements) if (e.name && (e.value || e.checked)) options[e.name] = valueOf(e);
  const matrices = files.filter((f) => isTable || f.name !== labels());
  if (!isTable && !example) options.LabelFile = "/in/" + labels();
  return { Dataset: example, Kind: kind(), Files: matrices.map((f) => "/in/" + f.name), Options: example ? {} : options };
}
// valueOf returns the value of a field as the JSON of data.Options holds it.
function valueOf({ value, checked, dataset: { kind }, selectedIndex }) {
  const list = () => value.split(",").map((v) => v.trim());
  switch (kind) {
    case "bool": return checked ?? value === "true";
    case "int": return Number(value);
    case "int32": return (({ tab: "\t", space: " " })[value] || value).codePointAt(0);
    case "choice": return selectedIndex;
    case "slice": return list();
    case "map": return JSON.stringify(Object.fromEntries(list().map((v) => v.split("=").map((w) => w.trim()))));
  }
  return value;
}
const kind = () => $("kind")?.value ?? "table";
const labels = () => $("labels")?.value ?? "";

// clear removes what the page shows of the data and ends the work with them.
function clear() {
  turn++;
  opened = null;
  for (const id of ["open-error", "learn-error", "use-error"]) fail(id);
  for (const id of ["learn-section", "use-section", "raw"]) show(id, false);
  $("preview").innerHTML = $("result").innerHTML = $("use").innerHTML = "";
  if (waiting.size) restart("Ended, because other data were chosen.");
}

async function open() {
  clear();
  const t = turn;
  $("preview").textContent = "reading …";
  const a = await ask("open", request(), files);
  if (t !== turn) return;
  $("preview").innerHTML = a.html || "";
  fail("open-error", a.error);
  opened = a.opened || null;
  for (const f of a.fields || []) if (!asked.some((g) => g.name === f.name)) asked.push(f);
  settings(a.fields || []);
  if (a.error && files.length) {
    $("raw").textContent = (await files[0].slice(0, 2000).text().catch(() => "")).split("\n").slice(0, 12).join("\n");
    show("raw", t === turn && $("raw").textContent !== "");
  }
  if (!opened || t !== turn) return;
  $("cell").textContent = a.cell;
  $("program").textContent = a.program;
  show("learn-section");
  show("interval-label", opened.isRegression);
}

// settings shows a field for the target, the task and the group, and for each option that an error has named.
function settings(named) {
  const form = $("settings"), values = {};
  for (const e of form.elements) if (e.name) values[e.name] = e.type === "checkbox" ? e.checked : e.value;
  const columns = opened?.columns || [...new Set([...form.querySelectorAll("#f-Label option")].map((o) => o.value))].filter(Boolean);
  const isTable = !example && kind() === "table";
  const fields = isTable && columns.length ? [
    { name: "Label", title: "Predict the column", kind: "string", choices: columns, value: opened?.target },
    { name: "Regression", title: "It is", kind: "bool", choices: ["", "true"], titles: ["a class", "a number"], value: opened?.isRegression ? "true" : "" },
    { name: "Group", title: "Rows of one person or thing share", kind: "string", choices: ["", ...columns], titles: ["nothing: rows are independent", ...columns], value: "" }] : [];
  for (const f of asked) if (!fields.some((g) => g.name === f.name)) fields.push(f);
  form.replaceChildren(...fields.map((f) => {
    const label = document.createElement("label"), title = document.createElement("span");
    const input = document.createElement(f.choices ? "select" : "input");
    title.textContent = f.title || f.name + ({ slice: " (a, b, …)", map: " (column=value, …)" }[f.kind] || "");
    input.name = f.name;
    input.id = "f-" + f.name;
    input.dataset.kind = f.kind;
    const isBox = f.kind === "bool" && !f.choices;
    if (!f.choices) input.type = isBox ? "checkbox" : "text";
    (f.choices || []).forEach((c, i) => input.add(new Option(f.titles?.[i] ?? c, c)));
    const n = named.find((g) => g.name === f.name), proposal = n ? n.value : asked.includes(f) ? "" : f.value;
    const value = values[f.name] || (named.length === 1 || !n ? proposal : "") || "";
    if (isBox) input.checked = value === true || value === "true"; else input.value = value;
    if (n && !f.choices && !isBox) input.placeholder = proposal; // of several options, a person chooses
    label.className = n ? "asked" : "";
    label.append(title, input);
    return label;
  }));
  if (asked.length) {
    const button = document.createElement("button");
    button.textContent = "Read again";
    form.append(button);
  }
  show("settings", fields.length > 0);
}

const tooLarge = (f) => `${f.name} has ${Math.round(f.size / 1e6)} MB; this page reads at most 50 MB. A notebook reads larger files.`;

// take takes files that a person has chosen or dropped. Several files are matrices, with one file of labels.
function take(list) {
  clear();
  files = [...list];
  example = $("example").value = "";
  const large = files.find((f) => f.size > limit);
  asked = [];
  $("settings").replaceChildren();
  $("roles").replaceChildren();
  if (large) { files = []; return fail("open-error", tooLarge(large)); }
  if (!files.length) return;
  if (files.length > 1) {
    const names = files.map((f) => new Option(f.name)), guess = files.find((f) => /label|target|^y\b/i.test(f.name)) || files.at(-1);
    $("roles").innerHTML = `<p class="row"><label>These are <select id="kind"><option value="grams">Gram matrices of kernels</option><option value="similarities">similarities</option></select></label>
      <label>labels in <select id="labels"></select></label></p>`;
    $("labels").replaceChildren(...names);
    $("labels").value = guess.name;
    $("roles").onchange = () => { asked = []; $("settings").replaceChildren(); open(); };
  }
  show("roles", files.length > 1);
  open();
}

function progress(p) {
  if (p.html) { $("result").innerHTML = p.html; show("use-section"); return; }
  show("bar");
  $("bar").value = p.Total ? p.Done / p.Total : 0;
  if (!isStopping) $("status").textContent = p.secondsLeft > 1 ? `about ${Math.ceil(p.secondsLeft)} s left` : "";
}

// work runs a long method with a Stop button.
async function work(method, request, into, where) {
  fail(where);
  const buttons = ["learn", "importance", "save"].map($);
  buttons.forEach((b) => { b.disabled = true; });
  isStopping = false;
  for (const id of ["stop", "bar"]) show(id);
  $("bar").removeAttribute("value");
  $("status").textContent = "learning …";
  const t = turn, a = await ask(method, request);
  buttons.forEach((b) => { b.disabled = false; });
  for (const id of ["stop", "bar"]) show(id, false);
  $("status").textContent = "";
  if (t !== turn) return false;
  fail(where, a.error);
  if (a.html) $(into).innerHTML = a.html;
  return !a.error;
}

function download(name, bytes) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([bytes]));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

$("files").onchange = ({ target }) => { const list = [...target.files]; target.value = ""; take(list); }; // a file may be chosen again
$("example").onchange = (e) => { clear(); files = []; asked = []; $("settings").replaceChildren(); $("roles").replaceChildren(); example = e.target.value; if (example) open(); };
$("settings").onsubmit = (e) => { e.preventDefault(); open(); };
$("settings").onchange = () => { if (opened || waiting.size || !asked.length) open(); };
$("learn").onclick = async () => { if (await work("learn", { Interval: $("interval").checked && !!opened?.isRegression }, "result", "learn-error")) show("use-section"); };
// The first click stops after the step in progress and keeps what is finished; the second ends the program.
$("stop").onclick = () => {
  if (isStopping) { restart("Ended. There is no result."); return; }
  isStopping = true;
  $("status").textContent = "stopping after this step; a second click ends at once, without a result";
  worker.postMessage({ method: "stop" });
};
$("importance").onclick = () => work("importance", {}, "use", "use-error");
$("save").onclick = async () => { const a = await ask("save"); fail("use-error", a.error); if (a.bytes) download(a.file.split("/").pop(), a.bytes); };
$("new-files").onchange = async ({ target }) => {
  const list = [...target.files];
  target.value = "";
  if (!list.length) return;
  const large = list.find((f) => f.size > limit), t = turn;
  const a = large ? { error: tooLarge(large) } : await ask("predict", { Files: list.map((f) => "/in/" + f.name) }, list);
  if (t !== turn) return;
  fail("use-error", a.error);
  $("use").innerHTML = a.html || "";
  if (!a.bytes) return;
  const button = document.createElement("button");
  button.textContent = "Download " + a.file.split("/").pop();
  button.id = "download";
  button.onclick = () => download(a.file.split("/").pop(), a.bytes);
  $("use").append(button);
};
document.querySelectorAll(".copy").forEach((b) => { b.onclick = () => navigator.clipboard.writeText($(b.dataset.of).textContent).then(() => { b.textContent = "Copied"; }); });
for (const drop of document.querySelectorAll(".drop")) {
  const input = drop.querySelector("input");
  drop.ondragover = (e) => { e.preventDefault(); drop.classList.add("over"); };
  drop.ondragleave = () => drop.classList.remove("over");
  drop.ondrop = (e) => { e.preventDefault(); drop.classList.remove("over"); input.files = e.dataTransfer.files; input.dispatchEvent(new Event("change")); };
}
window.onbeforeunload = () => (waiting.size ? "" : undefined);
load().catch((e) => { $("privacy-text").textContent = "This page cannot start: " + e.message + ". It needs a browser of 2023 or newer, and a web server (go run ./mklnb/web)."; });

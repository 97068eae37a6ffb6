"use strict";
// The files of the page, in memory. Go's os package calls functions of this object. In flags of open, 0 means reading.
const contents = new Map(), descriptors = [0, 1, 2];
const stat = (path) => {
  if (!contents.has(path)) throw Object.assign(new Error(path), { code: "ENOENT" });
  return { dev: 0, ino: 0, mode: 0o100666, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 1,
    size: contents.get(path).length, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => false };
};
const calls = {
  open(path, flags) {
    if (flags) contents.set(path, new Uint8Array(0));
    stat(path);
    return descriptors.push({ path, position: 0 }) - 1;
  },
  close() {},
  read(descriptor, buffer, offset, length) {
    const d = descriptors[descriptor], part = contents.get(d.path).subarray(d.position, d.position + length);
    buffer.set(part, offset);
    d.position += part.length;
    return part.length;
  },
  write(descriptor, buffer, offset, length) { // at the end
    if (descriptor < 3) return fs.writeSync(descriptor, buffer);
    const { path } = descriptors[descriptor], old = contents.get(path), content = new Uint8Array(old.length + length);
    content.set(old);
    content.set(buffer.subarray(offset, offset + length), old.length);
    contents.set(path, content);
    return length;
  },
  stat, lstat: stat, fstat: (descriptor) => stat(descriptors[descriptor].path),
  rename(from, to) { contents.set(to, contents.get(from)); contents.delete(from); },
  chmod() {},
};
for (const [name, f] of Object.entries(calls)) {
  fs[name] = (...args) => {
    const done = args.pop();
    try { done(null, f(...args)); } catch (e) { done(e); }
  };
}

const send = (id, answer) => postMessage({ id, answer });
globalThis.mklSend = (text) => send("progress", JSON.parse(text));
globalThis.mklReady = (names) => send("ready", names.split(" "));

onmessage = async ({ data: m }) => {
  if (m.program) {
    const go = new Go();
    await WebAssembly.instantiate(m.program, go.importObject).then((p) => go.run(p)).catch(() => {});
    send("ended"); // the program never ends by itself
    return;
  }
  if (m.files.length) contents.clear();
  for (const f of m.files) {
    if (f.size > 50 << 20) return send(m.id, { Error: `${f.name} has ${Math.round(f.size / 1e6)} MB; this page reads at most 50 MB. A notebook reads larger files.` });
    const bytes = await f.arrayBuffer().catch(() => {});
    if (!bytes) return send(m.id, { Error: `${f.name} cannot be read. If it was changed, choose it again; a folder is not a file.` });
    contents.set(f.name, new Uint8Array(bytes));
  }
  mklCall(m.method, JSON.stringify(m.request), (text) => {
    const answer = JSON.parse(text);
    send(m.id, Object.assign(answer, { bytes: contents.get(answer.File) }));
  });
};

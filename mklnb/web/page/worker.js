"use strict";
// The files of the page, in memory, as the Go program sees them. Go's os package calls these functions as those of Node.js.
const contents = new Map(), descriptors = new Map(), folders = ["/", "/in", "/tmp"];
let nextDescriptor = 3;
const failure = (code) => Object.assign(new Error(code), { code });
const stat = (path) => {
  const isDirectory = folders.includes(path), content = contents.get(path);
  if (!isDirectory && !content) throw failure("ENOENT");
  return { dev: 0, ino: 0, mode: isDirectory ? 0o40777 : 0o100666, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 1,
    size: content ? content.length : 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => isDirectory };
};
const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const calls = {
  open(path, flags) {
    if (flags & constants.O_CREAT && (flags & constants.O_TRUNC || !contents.has(path))) contents.set(path, new Uint8Array(0));
    stat(path);
    descriptors.set(nextDescriptor, { path, position: 0 });
    return nextDescriptor++;
  },
  close(descriptor) { descriptors.delete(descriptor); },
  read(descriptor, buffer, offset, length) {
    const d = descriptors.get(descriptor), part = contents.get(d.path).subarray(d.position, d.position + length);
    buffer.set(part, offset);
    d.position += part.length;
    return part.length;
  },
  write(descriptor, buffer, offset, length) { // at the end
    if (descriptor < 3) return fs.writeSync(descriptor, buffer);
    const { path } = descriptors.get(descriptor), old = contents.get(path), content = new Uint8Array(old.length + length);
    content.set(old);
    content.set(buffer.subarray(offset, offset + length), old.length);
    contents.set(path, content);
    return length;
  },
  stat, lstat: stat, fstat: (descriptor) => stat(descriptors.get(descriptor).path),
  rename(from, to) { contents.set(to, contents.get(from)); contents.delete(from); },
  unlink(path) { contents.delete(path); },
  chmod() {},
};
fs.constants = constants;
for (const [name, f] of Object.entries(calls)) {
  fs[name] = (...args) => {
    const done = args.pop();
    try { done(null, f(...args)); } catch (e) { done(e.code ? e : failure("EIO")); }
  };
}

const send = (id, answer) => postMessage({ id, answer });
globalThis.mklSend = (text) => send("progress", JSON.parse(text));
globalThis.mklReady = (names) => send("ready", names.split(" "));

onmessage = async ({ data: m }) => {
  if (m.program) {
    const go = new Go();
    go.env = { TMPDIR: "/tmp", HOME: "/tmp" };
    await WebAssembly.instantiate(m.program, go.importObject).then((p) => go.run(p)).catch(() => {});
    send("ended"); // the program never ends by itself
    return;
  }
  for (const f of m.files) {
    if (f.size > 50 << 20) return send(m.id, { Error: `${f.name} has ${Math.round(f.size / 1e6)} MB; this page reads at most 50 MB. A notebook reads larger files.` });
    const bytes = await f.arrayBuffer().catch(() => {});
    if (!bytes) return send(m.id, { Error: `${f.name} cannot be read. If it was changed, choose it again; a folder is not a file.` });
    contents.set("/in/" + f.name, new Uint8Array(bytes));
  }
  mklCall(m.method, JSON.stringify(m.request), (text) => {
    const answer = JSON.parse(text);
    send(m.id, Object.assign(answer, { bytes: contents.get(answer.File) }));
  });
};

"use strict";
// The files of the page, in memory, as the Go program sees them. Go's os package calls these functions as those of Node.js.
const files = new Map(), descriptors = new Map();
let nextDescriptor = 3;
const failure = (code) => Object.assign(new Error(code), { code });
const stat = (path) => {
  const isDirectory = ["/", "/in", "/tmp"].includes(path), content = files.get(path);
  if (!isDirectory && !content) throw failure("ENOENT");
  return { dev: 0, ino: 0, mode: isDirectory ? 0o40777 : 0o100666, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 1,
    size: content ? content.length : 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => isDirectory };
};
const call = (f) => (...args) => {
  const done = args.pop();
  try { done(null, f(...args)); } catch (e) { done(e.code ? e : failure("EIO")); }
};
const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
globalThis.fs = {
  constants,
  writeSync(fd, buffer) { console.log(new TextDecoder().decode(buffer)); return buffer.length; },
  open: call((path, flags) => {
    if (flags & constants.O_CREAT) {
      if (files.has(path) && flags & constants.O_EXCL) throw failure("EEXIST");
      if (!files.has(path) || flags & constants.O_TRUNC) files.set(path, new Uint8Array(0));
    }
    stat(path);
    descriptors.set(nextDescriptor, { path, position: 0 });
    return nextDescriptor++;
  }),
  close: call((fd) => { descriptors.delete(fd); }),
  read: call((fd, buffer, offset, length, position) => {
    const d = descriptors.get(fd), start = position ?? d.position;
    const part = files.get(d.path).subarray(start, start + length);
    buffer.set(part, offset);
    if (position === null) d.position += part.length;
    return part.length;
  }),
  write: call((fd, buffer, offset, length, position) => {
    const part = buffer.subarray(offset, offset + length);
    if (fd < 3) return fs.writeSync(fd, part);
    const d = descriptors.get(fd), start = position ?? d.position, old = files.get(d.path);
    const content = new Uint8Array(Math.max(old.length, start + length));
    content.set(old);
    content.set(part, start);
    files.set(d.path, content);
    if (position === null) d.position += length;
    return length;
  }),
  stat: call(stat), lstat: call(stat), fstat: call((fd) => stat(descriptors.get(fd).path)),
  rename: call((from, to) => { stat(from); files.set(to, files.get(from)); files.delete(from); }),
  unlink: call((path) => { files.delete(path); }),
  readdir: call((path) => [...files.keys()].filter((f) => f.startsWith(path + "/")).map((f) => f.slice(path.length + 1))),
  mkdir: call(() => {}), rmdir: call(() => {}), chmod: call(() => {}), fchmod: call(() => {}), fsync: call(() => {}), utimes: call(() => {}),
};

globalThis.mklSend = (text) => postMessage({ progress: JSON.parse(text) });
globalThis.mklReady = () => postMessage({ ready: true });

onmessage = async ({ data: m }) => {
  if (m.module) {
    const go = new Go();
    go.env = { TMPDIR: "/tmp", HOME: "/tmp" };
    try {
      await go.run(await WebAssembly.instantiate(m.module, go.importObject));
    } catch { /* said below */ }
    postMessage({ ended: true }); // the program never ends by itself
  } else if (m.method === "stop") {
    mklStop();
  } else {
    for (const f of m.files) files.set("/in/" + f.name, new Uint8Array(f.bytes));
    mklCall(m.method, JSON.stringify(m.request), (text) => {
      const answer = JSON.parse(text);
      if (answer.file) answer.bytes = files.get(answer.file);
      postMessage({ id: m.id, answer });
    });
  }
};

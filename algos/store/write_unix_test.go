//go:build unix

package store

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWriteFileKeeps: what is there keeps its kind, owner and mode.
func TestWriteFileKeeps(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) {
		t.Helper()
		ok(t, WriteFile(at(name), []byte(content), 0o644))
	}
	holds := func(name, want string) {
		t.Helper()
		if b, err := os.ReadFile(at(name)); err != nil || string(b) != want {
			t.Errorf("%s holds %q (%v), want %q", name, b, err, want)
		}
	}
	link := func(target, name string) {
		t.Helper()
		ok(t, os.Symlink(target, at(name)))
	}

	write("private", "old")
	ok(t, os.Chmod(at("private"), 0o600))
	write("private", "new")
	holds("private", "new")
	if info, err := os.Stat(at("private")); err != nil || info.Mode() != 0o600 {
		t.Errorf("a file of mode 0600 has %v, %v", info.Mode(), err)
	}

	// Links: to a file, to that link from another folder by way of a linked folder, to nothing yet.
	ok(t, os.MkdirAll(at("far/away"), 0o755))
	link("private", "link")
	link("far/away", "folder")
	link("../../link", "far/away/back")
	link("far/nothing", "new")
	for name, target := range map[string]string{"link": "private", "folder/back": "private", "new": "far/nothing"} {
		write(name, "by "+name)
		holds(target, "by "+name)
		if info, err := os.Lstat(at(name)); err != nil || info.Mode().Type() != os.ModeSymlink {
			t.Errorf("the link %s is %v, %v", name, info.Mode(), err)
		}
	}
	link("around", "around")
	if err := WriteFile(at("around"), nil, 0o644); err == nil {
		t.Error("a link to itself was written")
	}
	if err := WriteFile(at("far"), nil, 0o644); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a folder: %v, want an error that says so", err)
	}

	// A pipe, as a shell's >(...) is.
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	link("pipe", "to pipe")
	for _, name := range []string{"pipe", "to pipe"} {
		// An open that waits for the writer would wait for ever where a signal interrupts it and the writer has gone
		// by then.
		f := must(os.OpenFile(at("pipe"), os.O_RDONLY|syscall.O_NONBLOCK, 0))
		write(name, "by "+name)
		if info, err := os.Stat(at("pipe")); err != nil || info.Mode().Type() != os.ModeNamedPipe {
			t.Fatalf("the pipe is %v, %v", info.Mode(), err)
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != "by "+name {
			t.Errorf("the pipe's reader got %q, %v", got, err)
		}
		f.Close()
	}
	if left, err := filepath.Glob(at(".mkl-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestWriteFileDevice: a device is written into. Root could replace it: a copy of /dev/null stands for it.
func TestWriteFileDevice(t *testing.T) {
	null := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(null, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		t.Skip(err) // nobody but root makes devices
	}
	if err := WriteFile(null, []byte("page"), 0o644); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(null); err != nil || info.Mode().Type() != os.ModeDevice|os.ModeCharDevice {
		t.Errorf("the device is %v, %v", info.Mode(), err)
	}
}

// TestWriteFileOwner: root writes the file of another, which stays theirs.
func TestWriteFileOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(path, nil, 0o640))
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Skip(err) // nobody but root gives files away
	}
	ok(t, WriteFile(path, []byte("new"), 0o644))
	info := must(os.Stat(path))
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 || info.Mode() != 0o640 {
		t.Errorf("it is %d's, of group %d and mode %v", s.Uid, s.Gid, info.Mode())
	}
}

// TestWriteFileUmask: a new file has the mode that the user's mask leaves, as every program's.
func TestWriteFileUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	path := filepath.Join(t.TempDir(), "file")
	ok(t, WriteFile(path, nil, 0o644))
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode is %v, %v, want 0600", info.Mode(), err)
	}
}

// A pipe in the place of a result is not waited for.
func TestPipe(t *testing.T) {
	s := must(Open(t.TempDir()))
	ok(t, syscall.Mkfifo(filepath.Join(s.folder, "k"), 0o644))
	if err := s.Read("k", new(int)); err == nil || !strings.Contains(err.Error(), "want a file") {
		t.Errorf("read: %v", err)
	}
	ok(t, s.Put("k", 2))
	if v := 0; !s.Get("k", &v) || v != 2 {
		t.Errorf("put in its place: %d", v)
	}
}

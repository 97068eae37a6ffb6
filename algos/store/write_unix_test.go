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

// TestWriteFilePipe: WriteFile writes into a pipe, as a shell's >(...) is, and does not replace it.
func TestWriteFilePipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	ok(t, syscall.Mkfifo(pipe, 0o600))
	// A reader that waits for the writer would wait for ever if a signal interrupts it until the writer has ended.
	f := must(os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0))
	defer f.Close()
	ok(t, WriteFile(pipe, []byte("content"), 0o644))
	if info := must(os.Stat(pipe)); info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("the pipe is %v", info.Mode())
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "content" {
		t.Errorf("the pipe's reader got %q, %v", got, err)
	}
}

// TestPipe: Read does not wait for a pipe in the place of a result, and Put replaces it.
func TestPipe(t *testing.T) {
	s := must(Open(t.TempDir()))
	ok(t, syscall.Mkfifo(filepath.Join(s.folder, "k"), 0o644))
	if err := s.Read("k", new(int)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("read: %v", err)
	}
	ok(t, s.Put("k", 2))
	if v := 0; !s.Get("k", &v) || v != 2 {
		t.Errorf("put in its place: %d", v)
	}
}

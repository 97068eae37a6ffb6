//go:build unix

package store

import (
	"io"
	"os"
	"path/filepath"
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

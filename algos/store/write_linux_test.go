package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestWriteFileOpen: the links of /proc/self/fd, such as /dev/stdout, are open files, also where these have no name
// any more.
func TestWriteFileOpen(t *testing.T) {
	dir := t.TempDir()
	f := must(os.Create(filepath.Join(dir, "file")))
	defer f.Close()
	ok(t, os.Remove(f.Name()))
	for _, folder := range []string{"/proc/self/fd", "/dev/fd"} {
		ok(t, WriteFile(fmt.Sprintf("%s/%d", folder, f.Fd()), []byte("by "+folder), 0o644))
		b := make([]byte, 20)
		if n, _ := f.ReadAt(b, 0); string(b[:n]) != "by "+folder {
			t.Errorf("the open file holds %q", b[:n])
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("made: %v, %v", made, err)
	}
}

// TestWriteFileMounted: a file that is mounted by itself, as one is in a container, is written.
func TestWriteFileMounted(t *testing.T) {
	dir := t.TempDir()
	outside, inside := filepath.Join(dir, "outside"), filepath.Join(dir, "inside")
	for _, path := range []string{outside, inside} {
		ok(t, os.WriteFile(path, []byte("something old"), 0o600))
	}
	if err := syscall.Mount(outside, inside, "", syscall.MS_BIND, ""); err != nil {
		t.Skip(err) // nobody but root mounts
	}
	defer syscall.Unmount(inside, 0)
	ok(t, WriteFile(inside, []byte("new"), 0o644))
	if b, err := os.ReadFile(outside); err != nil || string(b) != "new" {
		t.Errorf("outside is %q, %v", b, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".mkl-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestWriteFileFolder: a file that may be written is, also where its folder may not; a new one is not made there.
func TestWriteFileFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	ok(t, os.WriteFile(path, []byte("something old"), 0o600))
	if os.Geteuid() == 0 { // root writes everywhere: another user's rights for this thread, which ends with the test
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Skip(err)
		}
		ok(t, os.Chmod(filepath.Dir(dir), 0o755))
		runtime.LockOSThread()
		if err := syscall.Setfsuid(12345); err != nil {
			t.Skip(err)
		}
		defer syscall.Setfsuid(0)
	} else if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if err := WriteFile(path, []byte("new"), 0o644); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" {
		t.Errorf("it holds %q, %v", b, err)
	}
	if err := WriteFile(filepath.Join(dir, "another"), nil, 0o644); err == nil {
		t.Error("a file was made in a folder that may not be written")
	}
}

// A full disk is ErrWrite, and leaves what is kept as it was and nothing half.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip(err) // nobody but root mounts
	}
	defer syscall.Unmount(dir, 0)
	s, big := must(Open(dir)), make([]float64, 2000)
	for i := range big {
		big[i] = 1 / float64(i+3)
	}
	kept := 0
	for {
		if err := s.Put(fmt.Sprint("k", kept), big); err != nil {
			if !errors.Is(err, ErrWrite) || !errors.Is(err, syscall.ENOSPC) || kept == 0 {
				t.Errorf("%d kept, then %v", kept, err)
			}
			break
		}
		kept++
	}
	for i := range kept {
		if got := []float64(nil); !s.Get(fmt.Sprint("k", i), &got) || len(got) != len(big) {
			t.Errorf("k%d is %d numbers", i, len(got))
		}
	}
	if files := must(os.ReadDir(dir)); len(files) != kept {
		t.Errorf("%d files of %d results", len(files), kept)
	}
}

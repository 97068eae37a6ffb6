package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestWriteFile: a new file gets the mode that is asked for, and an existing one keeps its mode.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("n", 255)) // the longest name
	for content, perm := range map[string]os.FileMode{"first": 0o600, "a longer second": 0o644} {
		ok(t, os.RemoveAll(path))
		ok(t, WriteFile(path, []byte(content), perm))
		ok(t, WriteFile(path, []byte(content), 0o640))
		b, err := os.ReadFile(path)
		if err != nil || string(b) != content {
			t.Errorf("the file contains %q (%v); %q was written", b, err, content)
		}
		if info := must(os.Stat(path)); runtime.GOOS != "windows" && info.Mode() != perm {
			t.Errorf("the mode is %v; it was made with %v", info.Mode(), perm)
		}
	}
	if err := WriteFile(dir, nil, 0o644); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("writing a folder: %v", err)
	}
	if files := must(os.ReadDir(dir)); len(files) != 1 {
		t.Errorf("%d files are left; 1 was written", len(files))
	}
}

// TestWriteFileLinks: a link stays a link, and the file that it leads to is written, existing or not.
func TestWriteFileLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok(t, os.MkdirAll(at("far/away"), 0o755))
	ok(t, os.WriteFile(at("private"), []byte("old"), 0o600))
	for _, l := range [][2]string{{"private", "link"}, {"far/away", "folder"}, {"../../link", "far/away/back"},
		{"far/nothing", "new"}, {"around", "around"}} {
		if err := os.Symlink(l[0], at(l[1])); err != nil {
			t.Skip(err) // Windows without the right to make links
		}
	}
	for name, target := range map[string]string{"link": "private", "folder/back": "private", "new": "far/nothing"} {
		ok(t, WriteFile(at(name), []byte("by "+name), 0o644))
		if b, err := os.ReadFile(at(target)); err != nil || string(b) != "by "+name {
			t.Errorf("%s contains %q (%v) after writing %s", target, b, err, name)
		}
		if info := must(os.Lstat(at(name))); info.Mode().Type() != os.ModeSymlink {
			t.Errorf("the link %s is %v", name, info.Mode())
		}
	}
	if err := WriteFile(at("around"), nil, 0o644); err == nil {
		t.Error("a link to itself is written")
	}
}

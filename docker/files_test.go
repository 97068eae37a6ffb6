package docker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readFile returns the content of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	return string(must(os.ReadFile(path)))
}

// baseImage matches an ARG that names a base image, with or without a digest.
var baseImage = regexp.MustCompile(`(?m)^ARG ([A-Z_]+_IMAGE=([^@\n]+))(@sha256:[0-9a-f]{64})?$`)

// TestBinder tests that .binder/Dockerfile equals docker/Dockerfile. Binder reads .binder/ or binder/, never docker/,
// and BuildKit does not follow a link out of that folder.
func TestBinder(t *testing.T) {
	const path = "../.binder/Dockerfile"
	info := must(os.Lstat(path))
	if !info.Mode().IsRegular() {
		t.Errorf("%s is %v, expected a regular file", path, info.Mode())
	}
	if readFile(t, path) != readFile(t, "Dockerfile") {
		t.Errorf("%s differs from docker/Dockerfile; run: cp docker/Dockerfile .binder/Dockerfile", path)
	}
	if _, err := os.Stat("../binder"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("binder/ exists (%v); Binder does not accept it beside .binder/", err)
	}
}

// TestStart tests that start replaces folders that are not writable by one folder of this user in the folder for
// temporary files, the same at every start, but not by a link of that name.
func TestStart(t *testing.T) {
	for _, tool := range []string{"sh", "mktemp", "id"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	bin := t.TempDir()
	try(os.WriteFile(filepath.Join(bin, "tini"), []byte("#!/bin/sh\nshift 2\nexec \"$@\"\n"), 0o755))
	for _, isLink := range []bool{false, true} {
		tmp, caches := t.TempDir(), t.TempDir()
		private := filepath.Join(tmp, fmt.Sprintf("mkl-%d", os.Getuid()))
		if isLink {
			try(os.Symlink(t.TempDir(), private))
		}
		for range 2 {
			cmd := exec.Command("sh", "start", "sh", "-c", `echo "$JUPYTER_DATA_DIR"`)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "TMPDIR="+tmp, "GOCACHE="+caches,
				"MKL_CACHE="+caches, "HOME="+filepath.Join(tmp, "none"))
			out, err := cmd.CombinedOutput()
			got := filepath.Dir(filepath.Dir(strings.TrimSpace(string(out))))
			if err != nil || filepath.Dir(got) != tmp || (got == private) == isLink {
				t.Errorf("the folder is %s, %v, expected one in %s; a link has the name: %v", got, err, tmp, isLink)
			}
		}
	}
}

// must returns v and panics on an error.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// try panics on an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}

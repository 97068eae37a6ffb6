// Package docker contains the image and its tests: files_test.go tests files of the image without building it, and
// image_test.go builds the image and runs it without a network (if MKL_IMAGE is set).
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

// withoutDigests returns a Dockerfile that names its base images by tag only, because substitutes have other digests.
func withoutDigests(dockerfile string) string {
	return baseImage.ReplaceAllString(dockerfile, "ARG $1")
}

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

// TestStart tests that start replaces folders that are not writable by one folder in the folder for temporary files,
// the same at every start. It does not use a link or a file of that name, or a folder of another user.
func TestStart(t *testing.T) {
	for _, tool := range []string{"sh", "mktemp", "id"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	bin := t.TempDir()
	try(os.WriteFile(filepath.Join(bin, "tini"), []byte("#!/bin/sh\nshift 2\nexec \"$@\"\n"), 0o755))
	name := fmt.Sprintf("mkl-%d", os.Getuid())
	for _, c := range []struct {
		name string
		make func(path string) error
		used bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"own", func(path string) error { return os.Mkdir(path, 0o700) }, true},
		{"a link", func(path string) error { return os.Symlink(t.TempDir(), path) }, false},
		{"a file", func(path string) error { return os.WriteFile(path, nil, 0o600) }, false},
		{"of another user", func(path string) error {
			return errors.Join(os.Mkdir(path, 0o777),
				os.Chown(path, os.Getuid()+1, -1))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp, caches := t.TempDir(), t.TempDir()
			private := filepath.Join(tmp, name)
			if err := c.make(private); err != nil {
				t.Skip(err) // only root can change the owner
			}
			cmd := exec.Command("sh", "start", "sh", "-c", `echo "$JUPYTER_DATA_DIR"`)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "TMPDIR="+tmp, "GOCACHE="+caches,
				"MKL_CACHE="+caches, "HOME="+filepath.Join(tmp, "none"))
			out, err := cmd.CombinedOutput()
			got := filepath.Dir(filepath.Dir(strings.TrimSpace(string(out))))
			if err != nil || filepath.Dir(got) != tmp || (got == private) != c.used {
				t.Errorf("the folder is %s, %v, expected a folder in %s; uses %s: %v", got, err, tmp, name, c.used)
			}
		})
	}
}

// TestPin tests that docker/pin writes the digests of the registry to both files, also over older ones, and writes
// nothing if the registry returns no digest.
func TestPin(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not on PATH")
	}
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		try(os.MkdirAll(filepath.Dir(path), 0o755))
		try(os.WriteFile(path, []byte(content), mode))
	}
	plain := withoutDigests(readFile(t, "Dockerfile"))
	write("docker/Dockerfile", plain, 0o644)
	write(".binder/Dockerfile", plain, 0o644)
	write("docker/pin", readFile(t, "pin"), 0o755)
	run := func(answer string) (dockerfile string, err error) {
		t.Helper()
		write("bin/docker", "#!/bin/sh\ncase \"$4\" in *@*) exit 1;; esac\n"+answer+"\n", 0o755)
		cmd := exec.Command("bash", filepath.Join(dir, "docker", "pin"))
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
		_, err = cmd.CombinedOutput()
		content := readFile(t, filepath.Join(dir, "docker", "Dockerfile"))
		if content != readFile(t, filepath.Join(dir, ".binder", "Dockerfile")) {
			t.Errorf("%s: the two files differ", answer)
		}
		return content, err
	}
	for _, digit := range []string{"a", "b"} { // the second digest replaces the first
		digest := "sha256:" + strings.Repeat(digit, 64)
		got, err := run("echo " + digest)
		if n := strings.Count(got, "@"+digest+"\n"); err != nil || n != 2 || withoutDigests(got) != plain {
			t.Errorf("the file contains %d digests of %s, %v, expected 2", n, digit, err)
		}
	}
	before := readFile(t, filepath.Join(dir, "docker", "Dockerfile"))
	for _, answer := range []string{"echo none", "exit 1", "case \"$4\" in golang*) echo sha256:" +
		strings.Repeat("c", 64) + ";; *) echo;; esac"} {
		if got, err := run(answer); err == nil || got != before {
			t.Errorf("%s: %v, expected an error and unchanged files", answer, err)
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

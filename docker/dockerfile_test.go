// Package docker holds the image and its tests: what can be said of the files without building
// anything (dockerfile_test.go), and the image itself, built and run without a network
// (image_test.go, where MKL_IMAGE=1 asks for it).
package docker

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one of a Dockerfile, with its continuation lines joined.
type instruction struct {
	line     int
	word     string // in capitals
	argument string
}

// instructions reads a Dockerfile.
func instructions(text string) (list []instruction) {
	var at *instruction
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		more := strings.HasSuffix(line, `\`)
		line = strings.TrimSpace(strings.TrimSuffix(line, `\`))
		if at == nil {
			word, argument, _ := strings.Cut(line, " ")
			at = &instruction{i + 1, strings.ToUpper(word), strings.TrimSpace(argument)}
		} else {
			at.argument += " " + line
		}
		if !more {
			list, at = append(list, *at), nil
		}
	}
	return list
}

var (
	variable = regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?`)
	tagged   = regexp.MustCompile(`^[a-z0-9./_-]+(:[0-9]+/[a-z0-9./_-]+)?:([A-Za-z0-9._-]+)(@sha256:[0-9a-f]{64})?$`)
	goMinor  = regexp.MustCompile(`golang:(\d+\.\d+)`)
	goLine   = regexp.MustCompile(`(?m)^go (\d+\.\d+)`)
)

// faults names what a Dockerfile does that Binder, BuildKit or this repository refuse. version is
// the Go of the module, as in 1.26.
func faults(text, version string) (wrong []string) {
	say := func(line int, format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
	if strings.HasPrefix(text, "# syntax=") {
		say(1, "a syntax line is fetched from a registry before anything else")
	}
	values, stages := map[string]string{}, map[string]bool{}
	fill := func(s string) string {
		return variable.ReplaceAllStringFunc(s,
			func(v string) string { return values[variable.FindStringSubmatch(v)[1]] })
	}
	var last string           // the user of the last stage
	final := map[string]int{} // how often each instruction is in the last stage
	args := map[string]bool{} // those of stages
	for _, in := range instructions(text) {
		final[in.word]++
		switch in.word {
		case "FROM":
			words := slices.DeleteFunc(strings.Fields(in.argument),
				func(w string) bool { return strings.HasPrefix(w, "--") })
			image := fill(words[0])
			if found := tagged.FindStringSubmatch(image); !stages[image] && (found == nil || found[2] == "latest") {
				say(in.line, "the base is %q, expected one with a tag that is not latest", image)
			}
			if found := goMinor.FindStringSubmatch(image); found != nil && found[1] != version {
				say(in.line, "the base has Go %s and go.mod says %s", found[1], version)
			}
			if len(words) == 3 {
				stages[words[2]] = true
			}
			final, last = map[string]int{}, "root"
		case "ARG":
			name, value, _ := strings.Cut(in.argument, "=")
			if len(stages) == 0 {
				values[name] = value
			} else {
				args[name+"="+value] = true
			}
		case "USER":
			last = in.argument
		case "RUN":
			if strings.Contains(in.argument, "chown -R") {
				say(in.line, "chown -R doubles the layer: COPY --chown")
			}
		case "ENTRYPOINT", "CMD":
			if !strings.HasPrefix(in.argument, "[") {
				say(in.line, "%s is run by a shell, which takes signals and arguments: write it as a list", in.word)
			}
		case "COPY":
			if strings.Contains(in.argument, "--link") {
				say(in.line, "COPY --link needs BuildKit")
			}
		}
		if in.word != "HEALTHCHECK" && strings.Contains(in.argument, "<<") {
			say(in.line, "a heredoc needs BuildKit")
		}
	}
	for _, arg := range []string{"NB_USER=jovyan", "NB_UID=1000"} {
		if !args[arg] {
			say(0, "no ARG %s in any stage: Binder gives it", arg)
		}
	}
	if last != "${NB_UID}" && last != "$NB_UID" {
		say(0, "the user is %q, expected ${NB_UID}", last)
	}
	for _, word := range []string{"ENTRYPOINT", "CMD", "HEALTHCHECK", "EXPOSE", "WORKDIR"} {
		if final[word] != 1 {
			say(0, "the last stage has %s %d times, expected once", word, final[word])
		}
	}
	return wrong
}

func read(t *testing.T, path string) string {
	t.Helper()
	content := must(os.ReadFile(path))
	return string(content)
}

// moduleGo is the Go of go.mod, as in 1.26.
func moduleGo(t *testing.T) string {
	t.Helper()
	found := goLine.FindStringSubmatch(read(t, "../go.mod"))
	if found == nil {
		t.Fatal("go.mod has no go line")
	}
	return found[1]
}

// unpinned is a Dockerfile without digests, as its bases can be stood in for.
func unpinned(dockerfile string) string {
	return regexp.MustCompile(`@sha256:[0-9a-f]{64}`).ReplaceAllString(dockerfile, "")
}

func TestDockerfile(t *testing.T) {
	for _, fault := range faults(read(t, "Dockerfile"), moduleGo(t)) {
		t.Errorf("docker/Dockerfile: %s", fault)
	}
}

// TestBinder: Binder looks in .binder/ or binder/, never in docker/, and BuildKit does not follow a
// link out of that folder.
func TestBinder(t *testing.T) {
	const path = "../.binder/Dockerfile"
	info := must(os.Lstat(path))
	if !info.Mode().IsRegular() {
		t.Errorf("%s is %v, expected a regular file", path, info.Mode())
	}
	if read(t, path) != read(t, "Dockerfile") {
		t.Errorf("%s is not docker/Dockerfile, byte for byte: cp docker/Dockerfile .binder/Dockerfile", path)
	}
	if _, err := os.Stat("../binder"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("binder/ beside .binder/ is an error to Binder (%v)", err)
	}
}

var pinnedLine = regexp.MustCompile(`^[a-z0-9._-]+==[^ ]+( ;.*)?$`)

// TestRequirements: every Python package is pinned and hashed.
func TestRequirements(t *testing.T) {
	for _, path := range []string{"../mklnb/setup/requirements.txt", "notebook.txt"} {
		text := strings.ReplaceAll(read(t, path), "\\\n", "")
		count := 0
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
			if line == "" {
				continue
			}
			count++
			name, _, hashed := strings.Cut(line, "--hash=sha256:")
			if !hashed || !pinnedLine.MatchString(strings.TrimSpace(name)) {
				t.Errorf("%s: %.80q is not of the form name==version --hash=sha256:…", path, line)
			}
		}
		if count == 0 {
			t.Errorf("%s names no package", path)
		}
	}
}

// TestScripts: what the image runs can be run, and parses.
func TestScripts(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not on PATH")
	}
	for _, path := range []string{"start", "warm", "healthcheck", "pin", "offline/make-base-images",
		"offline/run-in-image"} {
		info := must(os.Stat(path))
		if info.Mode()&0o111 != 0o111 {
			t.Errorf("docker/%s has mode %v, expected that all may execute it", path, info.Mode())
		}
		if !strings.HasPrefix(read(t, path), "#!/bin/") && !strings.HasPrefix(read(t, path), "#!/usr/bin/env bash\n") {
			continue // Python, run in the image
		}
		if out, err := exec.Command(shell, "-n", path).CombinedOutput(); err != nil {
			t.Errorf("docker/%s: %v: %s", path, err, out)
		}
	}
}

// TestStart: what cannot be written goes to one folder below that for temporary files, the same at every start; a
// link or a file of that name, or a folder of somebody else, is not taken.
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
		name  string
		make  func(path string) error
		taken bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"ours", func(path string) error { return os.Mkdir(path, 0o700) }, true},
		{"a link", func(path string) error { return os.Symlink(t.TempDir(), path) }, false},
		{"a file", func(path string) error { return os.WriteFile(path, nil, 0o600) }, false},
		{"another's", func(path string) error {
			return errors.Join(os.Mkdir(path, 0o777),
				os.Chown(path, os.Getuid()+1, -1))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp, caches := t.TempDir(), t.TempDir()
			private := filepath.Join(tmp, name)
			if err := c.make(private); err != nil {
				t.Skip(err) // nobody but root gives folders away
			}
			cmd := exec.Command("sh", "start", "sh", "-c", `echo "$JUPYTER_DATA_DIR"`)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "TMPDIR="+tmp, "GOCACHE="+caches,
				"MKL_CACHE="+caches, "HOME="+filepath.Join(tmp, "none"))
			out, err := cmd.CombinedOutput()
			got := filepath.Dir(filepath.Dir(strings.TrimSpace(string(out))))
			if err != nil || filepath.Dir(got) != tmp || (got == private) != c.taken {
				t.Errorf("the folder is %s, %v, expected below %s, and %s: %v", got, err, tmp, name, c.taken)
			}
		})
	}
}

// TestBases: the stand-ins are asked for by the names that the Dockerfile has.
func TestBases(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not on PATH")
	}
	out := must(exec.Command("bash", "offline/make-base-images", "--list", "--dockerfile", "Dockerfile").Output())
	var want []string
	for _, in := range instructions(read(t, "Dockerfile")) {
		if in.word != "ARG" {
			break
		}
		_, value, _ := strings.Cut(in.argument, "=")
		want = append(want, value)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, want) {
		t.Errorf("make-base-images --list says %q, expected %q", got, want)
	}
}

// TestIgnore: nothing that a test or a cell reads is kept from the image.
func TestIgnore(t *testing.T) {
	for line := range strings.Lines(read(t, "../.dockerignore")) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if strings.HasPrefix(pattern, "!") || filepath.IsAbs(pattern) {
			t.Errorf(".dockerignore: %q: only what is left out, from the root of the repository", pattern)
		}
		tracked, err := exec.Command("git", "-C", "..", "ls-files", "--", strings.Replace(pattern, "**/",
			"*", 1)).Output()
		if err != nil {
			t.Skip("no git, or not a checkout")
		}
		if len(bytes.TrimSpace(tracked)) > 0 {
			t.Errorf(".dockerignore: %q leaves out files of the repository: %.200s", pattern, tracked)
		}
	}
}

// must is v, of a call that may not fail.
func must[T any](v T, err error) T {
	try(err)
	return v
}

// runIn ends the tests where there is an error.
func try(err error) {
	if err != nil {
		panic(err)
	}
}

//go:build unix

package docker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// probe is a program that needs no file of its image.
const probe = `package main

import "os"

func main() { os.Stdout.WriteString("the probe ran\n") }
`

// missingRequirement returns the reason why this machine cannot build or run any image, "" if it can. It builds an
// image of one static program, which a RUN step runs, and runs it in name spaces of its own, as the image under test.
// It also tests whether the substitute bases can be made. The program is /usr/bin/env, with which
// docker/offline/run-in-image starts every command.
func missingRequirement(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"probe.go":   probe,
		"Dockerfile": "FROM scratch\nCOPY env /usr/bin/env\nRUN [\"/usr/bin/env\"]\n",
	} {
		try(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	compile := exec.Command("go", "build", "-o", "env", "probe.go")
	compile.Dir, compile.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("compile the probe: %v\n%s", err, out)
	}
	const name = "localhost/mkl:probe"
	defer exec.Command("buildah", "rmi", name).Run()
	for _, step := range []struct {
		what    string
		command []string
		want    string
	}{
		{"buildah cannot build an image", []string{"buildah", "bud", "--pull-never", "--format", "docker", "--tag",
			name,
			dir},
			"the probe ran"},
		{"a container cannot be started", []string{"bash", "offline/run-in-image", "--timeout", "60", name, "env"},
			"the probe ran"},
		{"the bases of the image cannot be made",
			append([]string{"bash", "offline/make-base-images", "--check", "--dockerfile", "Dockerfile"},
				tags(t)...), ""},
	} {
		out, err := exec.CommandContext(t.Context(), "timeout",
			append([]string{"300"}, step.command...)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), step.want) {
			return fmt.Sprintf("%s (%v): %s", step.what, err, strings.TrimSpace(string(out)))
		}
	}
	return ""
}

// driver returns buildah's storage driver, as the scripts of docker/offline choose it: overlay if the kernel can mount
// it, otherwise vfs.
func driver(t *testing.T) string {
	t.Helper()
	if d := os.Getenv("STORAGE_DRIVER"); d != "" {
		return d
	}
	dir := t.TempDir()
	var sub [4]string
	for i, name := range []string{"lower", "upper", "work", "merged"} {
		sub[i] = filepath.Join(dir, name)
		try(os.Mkdir(sub[i], 0o755))
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", sub[0], sub[1], sub[2])
	if exec.Command("mount", "-t", "overlay", "overlay", "-o", options, sub[3]).Run() != nil {
		return "vfs"
	}
	if err := exec.Command("umount", sub[3]).Run(); err != nil {
		t.Fatalf("umount %s: %v", sub[3], err)
	}
	return "overlay"
}

// bases returns the names of the base images in the Dockerfile, without digests.
func bases(t *testing.T) []string {
	t.Helper()
	out := must(exec.Command("bash", append([]string{"offline/make-base-images", "--list", "--dockerfile",
		"Dockerfile"},
		tags(t)...)...).Output())
	return strings.Fields(string(out))
}

// tags returns options that name the base images by tag only, because a substitute has another digest.
func tags(t *testing.T) (options []string) {
	t.Helper()
	for _, found := range baseImage.FindAllStringSubmatch(readFile(t, "Dockerfile"), -1) {
		options = append(options, "--build-arg", found[1])
	}
	return options
}

// command runs a program with a time limit. If it fails, the test ends with its output.
func command(t *testing.T, limit time.Duration, name string, args ...string) {
	t.Helper()
	start := time.Now()
	cmd := exec.CommandContext(t.Context(), "timeout", append([]string{strconv.Itoa(int(limit.Seconds())), name},
		args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		text := out.String()
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text[max(0, len(text)-8000):])
	}
	t.Logf("%s: %.0f s", filepath.Base(name), time.Since(start).Seconds())
}

// build makes the bases and the image. With the storage driver overlay, it reuses unchanged steps of the last build.
func build(t *testing.T) {
	t.Helper()
	command(t, buildTime, "bash", append([]string{"offline/make-base-images", "--dockerfile", "Dockerfile"},
		tags(t)...)...)
	options := append([]string{"bud", "--pull-never", "--format", "docker", "--tag", imageName, "--file", "Dockerfile"},
		tags(t)...)
	if os.Getenv("STORAGE_DRIVER") == "overlay" {
		options = append(options, "--layers")
	}
	command(t, buildTime, "buildah", append(options, "..")...)
}

// megabytes returns the size of an image according to buildah.
func megabytes(t *testing.T, name string) int {
	t.Helper()
	out, err := exec.Command("buildah", "images", "--format", "{{.Size}}", name).Output()
	if err != nil {
		t.Fatalf("size of %s: %v", name, err)
	}
	words := strings.Fields(string(out))
	if len(words) != 2 {
		t.Fatalf("size of %s is %q, expected a number and a unit", name, out)
	}
	size := must(strconv.ParseFloat(words[0], 64))
	switch words[1] {
	case "GB":
		size *= 1000
	case "MB":
	default:
		t.Fatalf("size of %s is %q, expected MB or GB", name, out)
	}
	return int(size)
}

// imageConfig is the part of an image that describes how to run it.
type imageConfig struct {
	User         string
	WorkingDir   string
	Env          []string
	Cmd          []string
	Entrypoint   []string
	ExposedPorts map[string]any
	Healthcheck  *struct{ Test []string }
}

// configOf returns the configuration of the image under test.
func configOf(t *testing.T) imageConfig {
	t.Helper()
	out, err := exec.Command("buildah", "inspect", "--type", "image", imageName).Output()
	if err != nil {
		t.Fatalf("inspect %s: %v", imageName, err)
	}
	var image struct {
		Docker struct{ Config imageConfig }
	}
	try(json.Unmarshal(out, &image))
	return image.Docker.Config
}

// notebooksOf returns the paths of the notebooks in the image.
func notebooksOf(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../notebooks/*.ipynb")
	if err != nil || len(list) == 0 {
		t.Fatalf("no notebook found (%v)", err)
	}
	for i, path := range list {
		list[i] = "notebooks/" + filepath.Base(path)
	}
	slices.Sort(list)
	return list
}

// runIn runs a command in a fresh container without a network, with docker/testdata at /check.
func runIn(t *testing.T, limit time.Duration, options []string, command ...string) (string, error) {
	t.Helper()
	check := must(filepath.Abs("testdata"))
	args := append([]string{"offline/run-in-image", "--timeout", strconv.Itoa(int(limit.Seconds())), "--mount", check +
		":/check:ro"}, options...)
	args = append(append(args, imageName), command...)
	out, err := exec.CommandContext(t.Context(), "bash", args...).CombinedOutput()
	return string(out), err
}

// inside runs a command as runIn does; an error ends the test.
func inside(t *testing.T, options []string, command ...string) string {
	t.Helper()
	out, err := runIn(t, runTime, options, command...)
	if err != nil {
		t.Fatalf("%.120q: %v\n%s", command, err, out)
	}
	return out
}

// facts decodes the line "facts {…}" of out into v.
func facts(t *testing.T, out string, v any) {
	t.Helper()
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "facts "); ok {
			if err := json.Unmarshal([]byte(text), v); err != nil {
				t.Fatalf("%v in %q", err, line)
			}
			return
		}
	}
	t.Fatalf("the output has no line that begins with facts:\n%s", out)
}

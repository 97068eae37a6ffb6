//go:build unix

package docker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// missingRequirement returns the reason why this machine cannot build or run images, "" if it can.
func missingRequirement(t *testing.T) string {
	t.Helper()
	for _, command := range [][]string{
		{"unshare", "--mount", "--pid", "--ipc", "--uts", "--net", "--fork", "true"},
		append([]string{"bash", "offline/make-base-images", "--check", "--dockerfile", "Dockerfile"}, tags(t)...),
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			return fmt.Sprintf("%s: %v: %s", strings.Join(command[:2], " "), err, out)
		}
	}
	return ""
}

// driver returns buildah's storage driver, as the scripts of docker/offline choose it: overlay if the kernel can mount
// it, otherwise vfs.
func driver(t *testing.T) string {
	t.Helper()
	const mount = `mkdir l u w m && mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w m && umount m`
	cmd := exec.Command("sh", "-c", mount)
	cmd.Dir = t.TempDir()
	if cmd.Run() != nil {
		return "vfs"
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

// build makes the bases and the image. It leaves no layers of steps, which take gigabytes, and removes the image of the
// last test.
func build(t *testing.T) {
	t.Helper()
	command(t, buildTime, "bash", append([]string{"offline/make-base-images", "--dockerfile", "Dockerfile"},
		tags(t)...)...)
	options := append([]string{"bud", "--pull-never", "--no-cache", "--force-rm", "--format", "docker", "--tag",
		imageName, "--file", "Dockerfile"}, tags(t)...)
	// If there is no image of an earlier test, this fails, which is no error.
	_ = exec.CommandContext(t.Context(), "buildah", "rmi", imageName).Run()
	command(t, buildTime, "buildah", append(options, "..")...)
}

// megabytes returns the size of an image according to buildah.
func megabytes(t *testing.T, name string) int {
	t.Helper()
	out := must(exec.Command("buildah", "images", "--format", "{{.Size}}", name).Output())
	var size float64
	var unit string
	must(fmt.Sscan(string(out), &size, &unit))
	factor, ok := map[string]float64{"MB": 1, "GB": 1000}[unit]
	if !ok {
		t.Fatalf("size of %s is %q, expected MB or GB", name, out)
	}
	return int(size * factor)
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

//go:build unix

package docker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

const (
	// imageName is the image under test. It remains after the test, so that it can be inspected.
	imageName = "localhost/mkl:check"
	// budget is the largest size of the image, in megabytes, with the substitute bases, which are about 100 MB larger than
	// the official ones.
	budget = 950
	// buildTime and runTime are the time limits of a step, far above its usual time.
	buildTime, runTime = 30 * time.Minute, 20 * time.Minute
)

// requiredPrograms are from Debian's packages buildah, debootstrap, jq, iproute2 and util-linux.
var requiredPrograms = []string{"bash", "buildah", "debootstrap", "jq", "ip", "unshare", "setpriv", "mount"}

// TestImage builds the image on substitutes for its bases, without a container registry, and runs it without a network,
// as a container engine does (docker/offline/README.md). It takes minutes and therefore needs MKL_IMAGE and go test
// -timeout 60m:
//
//	MKL_IMAGE=1     all tests except the following
//	MKL_IMAGE=full  also go test ./... without -short in the image, and a build for another user and number
//
// If the machine has no root, lacks a program, a kernel feature or a Debian mirror, the test is skipped, or fails under
// MKL_REQUIRE=all. It examines the machine before it builds the image, so that a fault of the image is not mistaken for one
// of the machine.
func TestImage(t *testing.T) {
	mode := os.Getenv("MKL_IMAGE")
	if mode != "1" && mode != "full" {
		t.Skip("MKL_IMAGE is neither 1 nor full: building and running the image takes minutes")
	}
	for _, name := range requiredPrograms {
		if _, err := exec.LookPath(name); err != nil {
			testenv.Lacks(t, name+" is not on PATH: apt-get install buildah debootstrap jq iproute2 util-linux")
		}
	}
	if os.Getuid() != 0 {
		testenv.Lacks(t, "the image is built as root")
	}
	t.Setenv("BUILDAH_ISOLATION", "chroot")
	t.Setenv("STORAGE_DRIVER", driver(t))
	if reason := missingRequirement(t); reason != "" {
		testenv.Lacks(t, "the image cannot be built on this machine: "+reason)
	}
	build(t, imageName)
	notebooks := notebooksOf(t)
	first := notebooks[0]

	t.Run("size", func(t *testing.T) {
		size := megabytes(t, imageName)
		base := megabytes(t, bases(t)[1])
		t.Logf("%d MB, of it the stand-in base %d", size, base)
		if size > budget {
			t.Errorf("the image has %d MB, expected at most %d", size, budget)
		}
	})

	t.Run("config", func(t *testing.T) { checkConfig(t, imageName, "1000", "jovyan") })
	t.Run("files", func(t *testing.T) { checkFiles(t, notebooks) })
	t.Run("keys", func(t *testing.T) { checkKeys(t) })

	// The first notebook runs in a fresh container, with the installed kernel spec.
	everyCell := `python3 /check/first.py "$1" && shift && status=0 && for n in "$@"; do go run ./mklnb/lab -execute "$n" || status=1; done && exit $status`
	for _, how := range []struct {
		name    string
		options []string
	}{
		{"user", nil},
		{"read-only", []string{"--read-only"}},
		{"any user", []string{"--user", "1234:0"}},
		{"any user, read-only", []string{"--user", "1234:0", "--read-only"}},
	} {
		t.Run(how.name, func(t *testing.T) {
			list := notebooks
			if how.name == "any user, read-only" {
				list = notebooks[:1]
			}
			options := append([]string{"--env", "MKL_SIZE=small"}, how.options...)
			out := inside(t, options, append([]string{"sh", "-c", everyCell, "sh", first}, list...)...)
			var f struct {
				Kernel float64
				Spec   string
				Cells  []float64
				Failed []string
			}
			facts(t, out, &f)
			t.Logf("kernel started in %.2f s, cells took %v s", f.Kernel, f.Cells)
			if want := "/opt/jupyter/share/jupyter/kernels/mkl"; f.Spec != want {
				t.Errorf("the kernel spec is %s, expected the installed one, %s", f.Spec, want)
			}
			for _, failed := range f.Failed {
				t.Errorf("%s: %s", first, failed)
			}
			if len(f.Cells) == 0 {
				t.Errorf("%s has no cell that ran", first)
			}
			for _, n := range list {
				if !strings.Contains(out, n+": every cell ran") {
					t.Errorf("%s did not run to its end", n)
				}
			}
			for _, sign := range []string{"building the renderer", "compiling the packages that cells import", "building GoNB",
				"making a virtual environment"} {
				if strings.Contains(out, sign) {
					t.Errorf("setup in the image was incomplete: the output contains %q", sign)
				}
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}

	// Completion and pip install in a visitor's own notebook.
	t.Run("visitor", func(t *testing.T) {
		out := inside(t, nil, "python3", "/check/visitor.py")
		var f struct {
			User, Pip, Installed string
			Matches              []string
		}
		facts(t, out, &f)
		if f.User != "jovyan" || f.Installed != "here" || !slices.Contains(f.Matches, "LoadModel") {
			t.Errorf("%+v, expected the user jovyan, an installed package that prints here, and the completion "+
				"LoadModel of LoadM\n%s", f, out)
		}
	})

	// The build cache survives ten days.
	t.Run("ten days later", func(t *testing.T) {
		count := `find "$GOCACHE" -type f -name '*-[ad]' | wc -l`
		out := inside(t, nil, "sh", "-c",
			`before=$(`+count+`); old=$(find "$GOCACHE" -type f -name '*-[ad]' ! -newermt '2099-01-01' | wc -l)
			echo $(($(date +%s) - 864000)) >"$GOCACHE/trim.txt" && go build ./mklnb/... && echo "facts {\"before\": $before, \"old\": $old, \"after\": $(`+count+`)}"`)
		var f struct{ Before, Old, After int }
		facts(t, out, &f)
		t.Logf("%d entries before, %d after", f.Before, f.After)
		if f.Old != 0 {
			t.Errorf("%d of %d entries have a date in the past, so the go command removes them after five days",
				f.Old, f.Before)
		}
		if f.Before < 500 || f.After < f.Before {
			t.Errorf("%d entries before, %d after, expected hundreds and not fewer", f.Before, f.After)
		}
	})

	t.Run("binder", func(t *testing.T) {
		f := serve(t, nil, "/user/someone/", "a-token", append([]string{"python3", "-c", binderStart},
			binderArguments("/user/someone/", "a-token")...)...)
		if !strings.HasPrefix(f.FirstPage, "/user/someone/lab/") {
			t.Errorf("the first page is %q, expected one of JupyterLab", f.FirstPage)
		}
	})
	t.Run("binder by notebook", func(t *testing.T) { // as repo2docker starts the server
		serve(t, nil, "/", "a-token", "jupyter", "notebook", "--ip=0.0.0.0", "--port=8888",
			"--NotebookApp.default_url=/lab/", "--NotebookApp.token=a-token", "--ServerApp.token=a-token")
	})
	t.Run("by itself", func(t *testing.T) {
		config := configOf(t, imageName)
		for _, options := range [][]string{nil, {"--read-only", "--user", "1234:0"}} {
			f := serve(t, options, "/", "-", config.Cmd...)
			if want := "/lab/tree/notebooks/00_start_here.ipynb"; f.FirstPage != want {
				t.Errorf("%v: the first page is %q, expected %q", options, f.FirstPage, want)
			}
		}
	})

	t.Run("go test", func(t *testing.T) {
		command := []string{"go", "test", "-short", "./..."}
		if mode == "full" {
			command = []string{"go", "test", "-timeout", "30m", "./..."}
		}
		out, err := runIn(t, 2*runTime, nil, command...)
		if err != nil {
			t.Errorf("%v: %v\n%s", command, err, out)
		}
	})

	t.Run("another user", func(t *testing.T) {
		if mode != "full" {
			t.Skip("MKL_IMAGE is not full: this is another build")
		}
		other := imageName + "-other"
		build(t, other, "NB_USER=someone", "NB_UID=1001")
		defer exec.Command("buildah", "rmi", other).Run()
		checkConfig(t, other, "1001", "someone")
		out, err := runInImage(t, other, runTime, []string{"--env", "MKL_SIZE=small"}, "sh", "-c",
			`id -u && pwd && python3 /check/first.py "$1"`, "sh", first)
		if err != nil || !strings.Contains(out, "1001\n/home/someone\n") || !strings.Contains(out, `"failed": []`) {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// probe is a program that needs no file of its image.
const probe = `package main

import "os"

func main() { os.Stdout.WriteString("the probe ran\n") }
`

// missingRequirement returns the reason why this machine cannot build or run any image, "" if it can. It builds an image of
// one static program, which a RUN step runs, and runs it in name spaces of its own, as the image under test. It also tests
// whether the substitute bases can be made. The program is /usr/bin/env, with which docker/offline/run-in-image starts
// every command.
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
		{"buildah cannot build an image", []string{"buildah", "bud", "--pull-never", "--format", "docker", "--tag", name,
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
	const room = 10 << 20 // kB: twice the size of the bases, the layers of all stages and a container
	out, err := exec.Command("sh", "-c",
		`df -Pk "$(buildah info --format '{{.store.GraphRoot}}')" | tail -n 1`).Output()
	if err != nil {
		t.Fatalf("free space for images: %v", err)
	}
	words := strings.Fields(string(out)) // device, all, used, free
	if len(words) < 4 {
		t.Fatalf("free space for images: df prints %q", out)
	}
	if free, err := strconv.Atoi(words[3]); err != nil || free < room {
		return fmt.Sprintf("%s kB are free for buildah's images, expected at least %d", words[3], room)
	}
	return ""
}

// TestMissingRequirement tests that on a machine without containers, the reason contains the output of buildah.
func TestMissingRequirement(t *testing.T) {
	bin := t.TempDir()
	try(os.WriteFile(filepath.Join(bin, "buildah"), []byte("#!/bin/sh\necho no name spaces here >&2\nexit 125\n"),
		0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := missingRequirement(t); !strings.Contains(got, "buildah cannot build an image") ||
		!strings.Contains(got, "no name spaces here") {
		t.Errorf("the reason is %q, expected the output of buildah", got)
	}
}

// driver returns buildah's storage driver, as the scripts of docker/offline choose it: overlay if the kernel can mount it,
// otherwise vfs.
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
func build(t *testing.T, name string, args ...string) {
	t.Helper()
	command(t, buildTime, "bash", append([]string{"offline/make-base-images", "--dockerfile", "Dockerfile"},
		tags(t)...)...)
	options := append([]string{"bud", "--pull-never", "--format", "docker", "--tag", name, "--file", "Dockerfile"},
		tags(t)...)
	if os.Getenv("STORAGE_DRIVER") == "overlay" {
		options = append(options, "--layers")
	}
	for _, arg := range args {
		options = append(options, "--build-arg", arg)
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

func configOf(t *testing.T, name string) imageConfig {
	t.Helper()
	out, err := exec.Command("buildah", "inspect", "--type", "image", name).Output()
	if err != nil {
		t.Fatalf("inspect %s: %v", name, err)
	}
	var image struct {
		Docker struct{ Config imageConfig }
	}
	try(json.Unmarshal(out, &image))
	return image.Docker.Config
}

func checkConfig(t *testing.T, name, user, login string) {
	t.Helper()
	home := "/home/" + login
	c := configOf(t, name)
	if c.User != user || c.WorkingDir != home {
		t.Errorf("%s: user %s in %s, expected %s in %s", name, c.User, c.WorkingDir, user, home)
	}
	if !slices.Contains(c.Env, "HOME="+home) {
		t.Errorf("%s: HOME is not %s in %q", name, home, c.Env)
	}
	if !slices.Contains(c.Env, "USER="+login) {
		t.Errorf("%s: USER is not %s in %q", name, login, c.Env)
	}
	if _, ok := c.ExposedPorts["8888/tcp"]; !ok {
		t.Errorf("%s: the exposed ports are %v, expected 8888/tcp", name, c.ExposedPorts)
	}
	if c.Healthcheck == nil || !slices.Equal(c.Healthcheck.Test, []string{"CMD", "/usr/local/bin/healthcheck"}) {
		t.Errorf("%s: the health check is %+v", name, c.Healthcheck)
	}
	if !slices.Equal(c.Entrypoint, []string{"/usr/local/bin/start"}) ||
		!slices.Equal(c.Cmd, []string{"jupyter", "lab"}) {
		t.Errorf("%s: entry point %q, command %q", name, c.Entrypoint, c.Cmd)
	}
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
	return runInImage(t, imageName, limit, options, command...)
}

func runInImage(t *testing.T, image string, limit time.Duration, options []string, command ...string) (string, error) {
	t.Helper()
	check := must(filepath.Abs("testdata"))
	args := append([]string{"offline/run-in-image", "--timeout", strconv.Itoa(int(limit.Seconds())), "--mount", check +
		":/check:ro"}, options...)
	args = append(append(args, image), command...)
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

// checkFiles tests files, owners and permissions in the image.
func checkFiles(t *testing.T, notebooks []string) {
	out := inside(t, nil, "sh", "-c", `
		for f in "$HOME/.cache" "$HOME/.config" "$HOME/.git" "$HOME/artefacts"; do [ ! -e "$f" ] || echo "left $f"; done
		echo "user $(id -u):$(id -g)"
		touch "$HOME/.written" "$HOME/notebooks/.written" && echo "home is written"
		find "$HOME" -xdev ! -user "$(id -u)" | head -n 5 | sed 's/^/stranger /'
		(cd "$HOME" && ls notebooks/*.ipynb) | sed 's/^/notebook /'
		python3 -c 'import ctypes; ctypes.CDLL("libopenblas.so.0"); print("OpenBLAS opens")'
		python3 -c 'import jupyterlab, notebook; print("JupyterLab", jupyterlab.__version__)'
		go version
		find /usr/local/go /opt -type f -perm -0002 | sed 's/^/writable /'`)
	for _, want := range []string{
		"user 1000:100\n", "home is written\n", "OpenBLAS opens\n", "JupyterLab " + requiredVersion(t, "jupyterlab") +
			"\n", "go version go" + goVersion(t) + ".",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("not found: %q", want)
		}
	}
	for _, bad := range []string{"stranger ", "writable ", "left "} {
		if strings.Contains("\n"+out, "\n"+bad) {
			t.Errorf("found: %s…", bad)
		}
	}
	for _, n := range notebooks {
		if !strings.Contains(out, "notebook "+n+"\n") {
			t.Errorf("%s is not in the image", n)
		}
	}
	if t.Failed() {
		t.Logf("output:\n%s", out)
	}

	// As root: set-user-ID files and files that all can write are only those of the base.
	rights := `find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /check \) -prune -o -type f -perm /6000 -print | sort
		find / -xdev \( -path /proc -o -path /sys -o -path /dev \) -prune -o ! -type l -perm -0002 ! -perm -1000 -print | sed 's/^/world /'`
	mine := inside(t, []string{"--user", "0", "--entrypoint", ""}, "sh", "-c", rights)
	theirs, err := runInImage(t, bases(t)[1], runTime, []string{"--user", "0", "--entrypoint", ""}, "sh", "-c", rights)
	if err != nil {
		t.Fatalf("the base: %v\n%s", err, theirs)
	}
	for line := range strings.Lines(mine) {
		if !strings.Contains(theirs, line) {
			t.Errorf("the base does not contain: %s", strings.TrimSpace(line))
		}
	}
}

// checkKeys: results are kept in the image under the keys that they have here.
func checkKeys(t *testing.T) {
	here, err := exec.Command("go", "run", "testdata/keys/main.go").Output()
	if err != nil {
		t.Fatalf("go run testdata/keys/main.go: %v", err)
	}
	if there := inside(t, nil, "go", "run", "/check/keys/main.go"); strings.Count(string(here), "\n") != 2 ||
		!strings.Contains(there, string(here)) {
		t.Errorf("keys in the image\n%s\nwant those of here\n%s", there, here)
	}
}

// goVersion returns the major and minor version in go.mod, 1.26 for example.
func goVersion(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(readFile(t, "../go.mod"))
	if found == nil {
		t.Fatal("go.mod has no go line")
	}
	return found[1]
}

// requiredVersion returns the version of a package in requirements.txt.
func requiredVersion(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + `==(\S+)`).FindStringSubmatch(readFile(t,
		"../mklnb/setup/requirements.txt"))
	if found == nil {
		t.Fatalf("requirements.txt does not contain %s", name)
	}
	return found[1]
}

// served is the output of testdata/serve.py.
type served struct {
	Seconds       float64 `json:"seconds"`
	HealthBefore  int     `json:"health before"`
	Health        int     `json:"health"`
	HealthAfter   int     `json:"health after"`
	API           int     `json:"api"`
	Refused       int     `json:"specs without token"`
	DefaultKernel string  `json:"default kernel"`
	Kernel        string  `json:"kernel"`
	ECharts       int     `json:"echarts bytes"`
	FirstPage     string  `json:"first page"`
	Lab           int     `json:"lab"`
	FirstNotebook int     `json:"first notebook"`
	Started       int     `json:"kernel started"`
	KernelEnded   int     `json:"kernel ended"`
	Ended         bool    `json:"ended"`
}

// serve runs a server in the image and tests its replies, except the first page, which the caller tests.
func serve(t *testing.T, options []string, base, token string, command ...string) served {
	t.Helper()
	out := inside(t, options, append([]string{"python3", "/check/serve.py", base, token}, command...)...)
	var f served
	facts(t, out, &f)
	t.Logf("answers after %.1f s, first page %s", f.Seconds, f.FirstPage)
	want := f
	want.HealthBefore, want.Health, want.HealthAfter = 1, 0, 1
	want.API, want.Refused, want.Lab, want.FirstNotebook, want.Started, want.KernelEnded = 200, 403, 200, 200, 201, 204
	want.DefaultKernel, want.Kernel, want.Ended = "mkl", "Go (mkl)", true
	if info, err := os.Stat("../notebooks/jupyter/kernels/mkl/echarts.min.js"); err != nil {
		t.Error(err)
	} else {
		want.ECharts = int(info.Size())
	}
	if f != want {
		t.Errorf("%v:\ngot      %+v\nexpected %+v\n%s", options, f, want, out)
	}
	return f
}

// binderStart is equivalent to the program that BinderHub's chart runs in an image.
const binderStart = `
import os, sys
try:
    import jupyterlab, jupyterlab.labapp
    lab = int(jupyterlab.__version__.split(".", 1)[0]) >= 3
except Exception as err:
    print("Failed to import jupyterlab:", err, file=sys.stderr)
    lab = False
os.execvp("jupyter-lab" if lab else "jupyter-notebook", sys.argv)
`

// binderArguments returns the arguments of BinderHub's spawner: each option for NotebookApp and for ServerApp.
func binderArguments(base, token string) []string {
	args := []string{"--ip=0.0.0.0", "--port=8888"}
	options := []string{"base_url=" + base, "token=" + token, "trust_xheaders=True", "default_url=/lab/",
		"allow_origin=*", "allow_origin_pat="}
	for _, app := range []string{"NotebookApp", "ServerApp"} {
		for _, o := range options {
			args = append(args, "--"+app+"."+o)
		}
	}
	return args
}

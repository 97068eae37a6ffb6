//go:build unix

package docker

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

const (
	// imageName is the image under test. It remains after the test, so that it can be inspected.
	imageName = "localhost/mkl:check"
	// budget is the largest size of the image, in megabytes, with the substitute bases, which are about 100 MB larger
	// than the official ones.
	budget = 950
	// buildTime and runTime are the time limits of a step, far above its usual time.
	buildTime, runTime = 30 * time.Minute, 20 * time.Minute
)

// requiredPrograms are from Debian's packages buildah, debootstrap, jq, iproute2 and util-linux.
var requiredPrograms = []string{"bash", "buildah", "debootstrap", "jq", "ip", "unshare", "setpriv", "mount"}

// TestImage builds the image on substitutes for its bases, without a container registry, and runs it without a network,
// as a container engine does (docker/offline/README.md). It takes minutes and therefore needs MKL_IMAGE=1 and go test
// -timeout 60m.
//
// If the machine has no root, lacks a program, a kernel feature or a Debian mirror, the test is skipped, or fails under
// MKL_REQUIRE=all. It examines the machine before it builds the image, so that a fault of the image is not mistaken for
// one of the machine.
func TestImage(t *testing.T) {
	if os.Getenv("MKL_IMAGE") != "1" {
		t.Skip("MKL_IMAGE is not 1: building and running the image takes minutes")
	}
	requireMachine(t)
	build(t)
	notebooks := notebooksOf(t)

	t.Run("size", func(t *testing.T) {
		size := megabytes(t, imageName)
		base := megabytes(t, bases(t)[1])
		t.Logf("%d MB; the substitute base has %d", size, base)
		if size > budget {
			t.Errorf("the image has %d MB, expected at most %d", size, budget)
		}
	})

	t.Run("files", func(t *testing.T) { checkFiles(t, notebooks) })

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
			checkCells(t, how.options, list)
		})
	}
	t.Run("visitor", checkVisitor)
	t.Run("ten days later", checkBuildCache)
	checkServers(t)

	t.Run("go test", func(t *testing.T) {
		if out, err := runIn(t, 2*runTime, nil, "go", "test", "-short", "./..."); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// requireMachine skips the test if this machine cannot build and run images. It sets the variables of buildah.
func requireMachine(t *testing.T) {
	t.Helper()
	for _, name := range requiredPrograms {
		if _, err := exec.LookPath(name); err != nil {
			testenv.SkipWithout(t, name+" is not on PATH: apt-get install buildah debootstrap jq iproute2 util-linux")
		}
	}
	if os.Getuid() != 0 {
		testenv.SkipWithout(t, "the image is built as root")
	}
	t.Setenv("BUILDAH_ISOLATION", "chroot")
	t.Setenv("STORAGE_DRIVER", cmp.Or(os.Getenv("STORAGE_DRIVER"), driver(t)))
	if reason := missingRequirement(t); reason != "" {
		testenv.SkipWithout(t, "the image cannot be built on this machine: "+reason)
	}
}

// checkCells runs notebooks with the installed kernel spec in a fresh container, the first one also by
// testdata/first.py, which measures its cells.
func checkCells(t *testing.T, options, notebooks []string) {
	t.Helper()
	const everyCell = `python3 /check/first.py "$1" && shift && status=0 &&
		for n in "$@"; do go run ./mklnb/lab -execute "$n" || status=1; done && exit $status`
	options = append([]string{"--env", "MKL_SIZE=small"}, options...)
	out := inside(t, options, append([]string{"sh", "-c", everyCell, "sh", notebooks[0]}, notebooks...)...)
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
		t.Errorf("%s: %s", notebooks[0], failed)
	}
	if len(f.Cells) == 0 {
		t.Errorf("%s has no cell that ran", notebooks[0])
	}
	for _, n := range notebooks {
		if !strings.Contains(out, n+": every cell ran") {
			t.Errorf("%s did not run to its end", n)
		}
	}
	for _, sign := range []string{"building the renderer", "compiled in", "building GoNB",
		"making a virtual environment"} {
		if strings.Contains(out, sign) {
			t.Errorf("setup in the image was incomplete: the output contains %q", sign)
		}
	}
	if t.Failed() {
		t.Logf("output:\n%s", out)
	}
}

// checkVisitor tests completion and pip install in a visitor's own notebook.
func checkVisitor(t *testing.T) {
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
}

// checkBuildCache tests that the build cache survives ten days.
func checkBuildCache(t *testing.T) {
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
}

// checkServers starts the server as Binder does and by the command of the image.
func checkServers(t *testing.T) {
	t.Run("binder", func(t *testing.T) {
		page := serve(t, nil, "/user/someone/", "a-token", append([]string{"python3", "-c", binderStart},
			binderArguments("/user/someone/", "a-token")...)...)
		if !strings.HasPrefix(page, "/user/someone/lab/") {
			t.Errorf("the first page is %q, expected one of JupyterLab", page)
		}
	})
	for _, options := range [][]string{nil, {"--read-only", "--user", "1234:0"}} {
		t.Run(strings.Join(append([]string{"by itself"}, options...), " "), func(t *testing.T) {
			const want = "/lab/tree/notebooks/00_start_here.ipynb"
			if page := serve(t, options, "/", "-", "jupyter", "lab"); page != want {
				t.Errorf("the first page is %q, expected %q", page, want)
			}
		})
	}
}

// checkFiles tests files, owners and permissions in the image.
func checkFiles(t *testing.T, notebooks []string) {
	out := inside(t, nil, "sh", "-c", `
		for f in "$HOME/.cache" "$HOME/.config" "$HOME/.git" "$HOME/artifacts"; do [ ! -e "$f" ] || echo "left $f"; done
		echo "user $(id -u):$(id -g)"
		touch "$HOME/.written" "$HOME/notebooks/.written" && echo "home is written"
		find "$HOME" -xdev ! -user "$(id -u)" | head -n 5 | sed 's/^/stranger /'
		(cd "$HOME" && ls notebooks/*.ipynb) | sed 's/^/notebook /'
		python3 -c 'import ctypes; ctypes.CDLL("libopenblas.so.0"); print("OpenBLAS opens")'
		python3 -c 'import jupyterlab, notebook; print("both import")'
		find /usr/local/go /opt -type f -perm -0002 | sed 's/^/writable /'`)
	for _, want := range []string{"user 1000:100\n", "home is written\n", "OpenBLAS opens\n", "both import\n"} {
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
}

// serve runs a server in the image, tests its replies (testdata/serve.py) and returns the path of the first page.
func serve(t *testing.T, options []string, base, token string, command ...string) string {
	t.Helper()
	out := inside(t, options, append([]string{"python3", "/check/serve.py", base, token}, command...)...)
	var got map[string]any
	facts(t, out, &got)
	t.Logf("answers after %v s, first page %v", got["seconds"], got["first page"])
	library := must(os.Stat("../notebooks/jupyter/kernels/mkl/echarts.min.js"))
	for name, want := range map[string]any{"health before": 1, "health": 0, "health after": 1, "api": 200,
		"specs without token": 403, "lab": 200, "first notebook": 200, "kernel started": 201, "kernel ended": 204,
		"default kernel": "mkl", "kernel": "Go (mkl)", "ended": true, "echarts bytes": float64(library.Size())} {
		if fmt.Sprint(got[name]) != fmt.Sprint(want) {
			t.Errorf("%v: %s is %v, expected %v\n%s", options, name, got[name], want, out)
		}
	}
	page, _ := got["first page"].(string)
	return page
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

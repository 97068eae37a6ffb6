//go:build unix

package setup

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// fake is an interpreter in the form of a shell script. It answers the probe with version, venv and missing, makes
// "environments" that contain a copy of itself, and runs $FAKE_PIP as pip. It writes the calls of venv and pip to a
// journal.
const fake = `#!/bin/sh
self="$0"
case "$1 $2" in
"-c "*) cat >/dev/null; echo '{"executable": "'"$self"'", "version": VERSION, "venv": VENV, "missing": MISSING}';;
"-S -c") exit 0;;
"-m venv") echo venv >>"$FAKE_JOURNAL"; mkdir -p "$3/bin" && cp "$self" "$3/bin/python";;
"-m pip") echo pip >>"$FAKE_JOURNAL"; eval "$FAKE_PIP";;
*) echo "unexpected: $*" >&2; exit 9;;
esac
`

// install writes a fake interpreter with this name to dir.
func install(t *testing.T, dir, name, version, venv, missing string) {
	t.Helper()
	testenv.WriteFiles(t, dir, map[string]string{name: strings.NewReplacer("VERSION", version, "VENV", venv, "MISSING",
		missing).Replace(fake)})
}

// useFakes sets a PATH of fakes and returns its folder, a cache folder and a function that reads the journal.
func useFakes(t *testing.T) (bin, cache string, journal func() string) {
	t.Helper()
	bin, cache = t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "journal")
	t.Setenv("PATH", bin+":/usr/bin:/bin") // for sh, cp, mkdir and cat; all names of Python are fakes
	for _, name := range []string{"", "3", "3.14", "3.13", "3.12", "3.11", "3.10"} {
		// a shim of a version manager without a version
		testenv.WriteFiles(t, bin, map[string]string{"python" + name: "#!/bin/sh\nexit 1\n"})
	}
	t.Setenv("MKL_PYTHON", "")
	t.Setenv("MKL_CACHE", cache)
	t.Setenv("FAKE_JOURNAL", file)
	t.Setenv("FAKE_PIP", "exit 0")
	return bin, cache, func() string {
		content, err := os.ReadFile(file)
		if err != nil {
			return ""
		}
		return strings.Join(strings.Fields(string(content)), " ")
	}
}

const some = `["jupyterlab==4.6.6"]`

// TestFindPython tests that findPython returns the first usable interpreter, and that otherwise the error states what
// is wrong with the interpreters.
func TestFindPython(t *testing.T) {
	for _, c := range []struct {
		name                   string
		version, venv, missing string // of python3
		variable               string // MKL_PYTHON
		want                   string // an interpreter, or a part of the error
	}{
		{"too old", "[3, 9, 2]", "true", some, "", "Python 3.9.2"},
		{"no venv", "[3, 11, 2]", "false", some, "", "venv and ensurepip are not installed"},
		{"no venv needed", "[3, 11, 2]", "false", "[]", "", "/python3"},
		{"a newer one under another name", "[3, 8, 1]", "true", some, "", "/python3.12"},
		{"not Python", "[3, 11, 2]", "true", some, "true", "true is not Python"},
		{"not a program", "[3, 11, 2]", "true", some, "snake", "not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, _, _ := useFakes(t)
			install(t, bin, "python3", c.version, c.venv, c.missing)
			install(t, bin, "python3.12", "[3, 12, 1]", "true", some)
			if c.want[0] != '/' && c.variable == "" {
				try(os.Remove(filepath.Join(bin, "python3.12")))
			}
			t.Setenv("MKL_PYTHON", c.variable)
			p, err := findPython(t.Context(), requirements)
			if c.want[0] == '/' {
				if err != nil || p.Executable != bin+c.want {
					t.Errorf("found %v, %v, expected %s", p, err, c.want)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "python3-venv") {
				t.Errorf("%v, %v, expected an error with %q and a remedy", p, err, c.want)
			}
		})
	}
}

// TestVenv tests that a virtual environment is made once and then found without a report, and that an interrupted one
// is made again. The error of a failed pip contains its output.
func TestVenv(t *testing.T) {
	bin, cache, journal := useFakes(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)

	t.Setenv("FAKE_PIP", "echo 'Collecting a'; echo 'ERROR: hashes do not match'; exit 1")
	if _, err := python(t.Context(), quiet); err == nil || !strings.Contains(err.Error(),
		"hashes do not match") {
		t.Fatalf("error is %v, expected the output of pip", err)
	}
	t.Setenv("FAKE_PIP", "exec sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for journal() != "venv pip venv pip" && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := python(ctx, quiet); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v, expected context.Canceled", err)
	}
	t.Setenv("FAKE_PIP", "exit 0")
	path := must(python(t.Context(), quiet))
	if !strings.HasPrefix(path, cache) {
		t.Errorf("interpreter is %s, expected one in the cache folder", path)
	}
	if got, want := journal(), "venv pip venv pip venv pip"; got != want {
		t.Errorf("the journal is %q, expected %q", got, want)
	}
	again, err := python(t.Context(), func(line string) { t.Errorf("the second call reports %q", line) })
	if err != nil || again != path {
		t.Errorf("the second call returns %s, %v, expected %s", again, err, path)
	}
	try(os.WriteFile(path, []byte("#!/bin/sh\nexit 1\n"), 0o755)) // as if its base was removed
	must(python(t.Context(), quiet))
	if got, want := journal(), "venv pip venv pip venv pip venv pip"; got != want {
		t.Errorf("the journal is %q; an environment that does not run must be made again", got)
	}
}

// TestVenvKilled tests that pip ends if setup is killed while pip runs, and that a second setup makes the environment
// again.
func TestVenvKilled(t *testing.T) {
	if os.Getenv("MKL_TEST_KILLED") != "" { // the process to kill
		_, err := python(t.Context(), quiet)
		t.Fatal("not killed: ", err)
	}
	bin, _, journal := useFakes(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)
	t.Setenv("FAKE_PIP", `sleep 3; echo "end" >>"$FAKE_JOURNAL"; touch "${self%/*}/late"`)
	cmd := exec.Command(os.Args[0], "-test.run=^TestVenvKilled$")
	cmd.Env = append(os.Environ(), "MKL_TEST_KILLED=1")
	try(cmd.Start())
	for deadline := time.Now().Add(20 * time.Second); journal() != "venv pip"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the journal is only %q", journal())
		}
	}
	try(cmd.Process.Kill())
	cmd.Wait()
	t.Setenv("FAKE_PIP", "exit 0")
	path := must(python(t.Context(), quiet))
	if got, want := journal(), "venv pip venv pip"; got != want {
		t.Errorf("the journal is %q, expected %q", got, want)
	}
	if pathExists(filepath.Join(filepath.Dir(path), "late")) {
		t.Error("the environment contains a file of the killed pip")
	}
}

// python returns the interpreter of JupyterLab.
func python(ctx context.Context, logLine func(string)) (string, error) {
	return EnsureVenv(ctx, "python", "JupyterLab", requirements, logLine)
}

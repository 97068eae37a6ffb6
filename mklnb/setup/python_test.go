//go:build unix

package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// fake is an interpreter in the form of a shell script. It answers the probe with version, venv and lacks, makes
// "environments" that contain a copy of itself, and runs $FAKE_PIP as pip. It writes the calls of venv and pip to a
// journal.
const fake = `#!/bin/sh
self="$0"
case "$1 $2" in
"-c "*) cat >/dev/null; echo '{"executable": "'"$self"'", "version": VERSION, "venv": VENV, "lacks": LACKS}';;
"-S -c") exit 0;;
"-m venv") echo venv >>"$FAKE_JOURNAL"; mkdir -p "$3/bin" && cp "$self" "$3/bin/python";;
"-m pip") echo pip >>"$FAKE_JOURNAL"; eval "$FAKE_PIP";;
*) echo "unexpected: $*" >&2; exit 9;;
esac
`

// install writes a fake interpreter with this name to dir.
func install(t *testing.T, dir, name, version, venv, lacks string) {
	t.Helper()
	testenv.Write(t, dir, map[string]string{name: strings.NewReplacer("VERSION", version, "VENV", venv, "LACKS",
		lacks).Replace(fake)})
}

// useFakes sets a PATH of fakes and returns its folder, a cache folder and a function that reads the journal.
func useFakes(t *testing.T) (bin, cache string, journal func() string) {
	t.Helper()
	bin, cache = t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "journal")
	t.Setenv("PATH", bin+":/usr/bin:/bin") // for sh, cp, mkdir and cat; all names of Python are fakes
	for _, name := range pythonNames {
		testenv.Write(t, bin, map[string]string{name: "#!/bin/sh\nexit " +
			"1\n"}) // a shim of a version manager without a version
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

// TestFindPython tests that findPython returns the first usable interpreter, and that otherwise one sentence states
// what is wrong with the one that comes closest.
func TestFindPython(t *testing.T) {
	type interp struct{ name, version, venv, lacks string }
	for _, c := range []struct {
		name   string
		there  []interp
		chosen string // MKL_PYTHON
		want   string
		errors []string
	}{
		{"none", nil, "", "", []string{"Python is not on PATH", "Python 3.10 or newer", "python3-venv"}},
		{"too old", []interp{{"python3", "[3, 9, 2]", "true", some}}, "", "",
			[]string{"Python 3.9.2", "too old", "Python 3.10 or newer"}},
		{"no venv", []interp{{"python3", "[3, 11, 2]", "false", some}}, "", "",
			[]string{"Python 3.11.2", "venv", "python3-venv"}},
		{"a newer one under another name", []interp{{"python3", "[3, 8, 1]", "true", some},
			{"python3.12", "[3, 12, 1]", "true", some}}, "", "python3.12", nil},
		{"one that has everything needs no venv", []interp{{"python3", "[3, 11, 2]", "false", "[]"}}, "",
			"python3", nil},
		{"chosen", []interp{{"python3", "[3, 11, 2]", "true", some}, {"python3.13", "[3, 13, 0]", "true", some}},
			"python3.13", "python3.13", nil},
		{"chosen and not Python", nil, "true", "", []string{"true is not Python", "set MKL_PYTHON"}},
		{"chosen and not there", []interp{{"python3", "[3, 11, 2]", "true", some}}, "snake", "",
			[]string{"MKL_PYTHON=snake", "not a program"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, _, _ := useFakes(t)
			for _, i := range c.there {
				install(t, bin, i.name, i.version, i.venv, i.lacks)
			}
			t.Setenv("MKL_PYTHON", c.chosen)
			p, err := findPython(t.Context(), requirements)
			if c.want != "" {
				if err != nil || p.Executable != filepath.Join(bin, c.want) {
					t.Errorf("found %v, %v, expected %s", p, err, c.want)
				}
				return
			}
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, %v, expected an error of one line", p, err)
			}
			for _, part := range c.errors {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error is %q, expected one with %q", err, part)
				}
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
	if got, want := journal(), "venv pip venv pip venv pip"; got != want {
		t.Errorf("the journal is %q, expected still %q", got, want)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil { // as if its base was removed
		t.Fatal(err)
	}
	if _, err := python(t.Context(), quiet); err != nil {
		t.Error(err)
	}
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

// TestInstalled tests that an interpreter that has every required package is used unchanged.
func TestInstalled(t *testing.T) {
	bin, _, journal := useFakes(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", "[]")
	path, err := python(t.Context(), func(line string) { t.Errorf("setup reports %q", line) })
	if err != nil || path != filepath.Join(bin, "python3") {
		t.Errorf("the interpreter is %s, %v, expected the installed one", path, err)
	}
	if journal() != "" {
		t.Errorf("the journal is %q, expected nothing", journal())
	}
}

// TestWheels tests that every required package has a wheel with a listed hash for each supported system and processor,
// including Macs with an Intel processor. pip can test systems other than its own.
func TestWheels(t *testing.T) {
	testenv.Long(t) // looks up a hundred packages six times
	p := must(Python(t.Context(), "python", "JupyterLab", requirements, nil))
	lacks := func(lock, platform, version string) string {
		args := []string{"-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps",
			"--require-hashes",
			"--only-binary=:all:", "--python-version", version, "--target", t.TempDir(), "-r", "/dev/stdin"}
		for tag := range strings.FieldsSeq(platform) { // pip does not add the tags that a tag implies
			args = append(args, "--platform", tag)
		}
		cmd := exec.Command(p, args...)
		cmd.Stdin = strings.NewReader(lock)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Sprintf("%v: %s", err, out)
		}
		return ""
	}
	// The interpreter that runs pip evaluates conditions (python_full_version >= "3.11.5"), not --python-version. The
	// packages that it selects must suit the other versions.
	for _, platform := range []string{"macosx_11_0_x86_64", "macosx_11_0_arm64",
		"manylinux_2_28_aarch64 manylinux_2_17_aarch64 manylinux2014_aarch64"} {
		for _, version := range []string{"3.12", "3.13"} {
			if why := lacks(string(requirements), platform, version); why != "" {
				t.Errorf("%s, Python %s: %s", platform, version, why)
			}
		}
	}
	const none = "argon2-cffi-bindings==26.2.0 " +
		"--hash=sha256:02086528488a85d374655e2f2f83fea03f49764587ac49d8e10bf6471df9f163\n"
	if why := lacks(none, "macosx_11_0_x86_64", "3.13"); !strings.Contains(why, "No matching distribution") {
		t.Errorf("a package without a wheel is accepted: %q", why)
	}
}

// TestProbe runs the probe in a real interpreter, if one is installed.
func TestProbe(t *testing.T) {
	p, err := findPython(t.Context(), requirements)
	if err != nil {
		testenv.Lacks(t, err.Error())
	}
	if p.isTooOld() || !filepath.IsAbs(p.Executable) {
		t.Errorf("%+v, expected a suitable version and an absolute path", p)
	}
	for _, line := range p.Lacks {
		if !strings.Contains(string(requirements), line) {
			t.Errorf("lacks %q, which is not required", line)
		}
	}
}

// python returns the interpreter of JupyterLab.
func python(ctx context.Context, say func(string)) (string, error) {
	return Python(ctx, "python", "JupyterLab", requirements, say)
}

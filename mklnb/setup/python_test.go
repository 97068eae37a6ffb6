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
	"sync"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/testenv"
)

// fake is an interpreter as a shell script: it answers the probe with version, venv and lacks, makes
// "environments" that hold a copy of itself, and lets pip do what $FAKE_PIP says. It keeps a
// journal of what it was asked for.
const fake = `#!/bin/sh
self="$0"
case "$1 $2" in
"--version ") echo "Python of a test";;
"-c "*) cat >/dev/null; echo '{"executable": "'"$self"'", "version": VERSION, "venv": VENV, "lacks": LACKS}';;
"-S -c") exit 0;;
"-m venv") echo venv >>"$FAKE_JOURNAL"; mkdir -p "$3/bin" && cp "$self" "$3/bin/python";;
"-m pip") echo pip >>"$FAKE_JOURNAL"; eval "$FAKE_PIP";;
*) echo "not expected: $*" >&2; exit 9;;
esac
`

// install puts a fake interpreter of that name into dir.
func install(t *testing.T, dir, name, version, venv, lacks string) {
	t.Helper()
	testenv.Write(t, dir, map[string]string{name: strings.NewReplacer("VERSION", version, "VENV", venv, "LACKS",
		lacks).Replace(fake)})
}

// bench is an environment with a PATH of fakes, a journal and a cache.
func bench(t *testing.T) (bin, cache string, journal func() string) {
	t.Helper()
	bin, cache = t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "journal")
	t.Setenv("PATH", bin+":/usr/bin:/bin") // sh, cp, mkdir and cat; other names of Python are fakes
	for _, name := range pythonNames {
		testenv.Write(t, bin, map[string]string{name: "#!/bin/sh\nexit 1\n"}) // a shim with nothing behind it
	}
	t.Setenv("MKL_PYTHON", "")
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

// TestFindPython: the first that suits is taken, and where none does one sentence says what is
// wrong with the best there is.
func TestFindPython(t *testing.T) {
	type interp struct{ name, version, venv, lacks string }
	for _, c := range []struct {
		name   string
		there  []interp
		chosen string // MKL_PYTHON
		takes  string
		says   []string
	}{
		{"none", nil, "", "", []string{"Python 3.10 or newer is needed", "none on PATH", "python3-venv"}},
		{"too old", []interp{{"python3", "[3, 9, 2]", "true", some}}, "", "",
			[]string{"Python 3.10 or newer is needed", "Python 3.9.2"}},
		{"no venv", []interp{{"python3", "[3, 11, 2]", "false", some}}, "", "",
			[]string{"Python 3.11.2", "venv", "python3-venv"}},
		{"good", []interp{{"python3", "[3, 11, 2]", "true", some}}, "", "python3", nil},
		{"the least", []interp{{"python3", "[3, 10, 0]", "true", some}}, "", "python3", nil},
		{"a newer one under another name", []interp{{"python3", "[3, 8, 1]", "true", some},
			{"python3.12", "[3, 12, 1]", "true", some}}, "", "python3.12", nil},
		{"one that has everything needs no venv", []interp{{"python3", "[3, 11, 2]", "false", "[]"}}, "",
			"python3", nil},
		{"chosen", []interp{{"python3", "[3, 11, 2]", "true", some}, {"python3.13", "[3, 13, 0]", "true", some}},
			"python3.13", "python3.13", nil},
		{"chosen and too old", []interp{{"python3", "[3, 11, 2]", "true", some},
			{"python3.10", "[3, 9, 0]", "true", some}},
			"python3.10", "", []string{"MKL_PYTHON", "Python 3.9.0"}},
		{"chosen and no Python", nil, "/bin/ls", "", []string{"MKL_PYTHON=/bin/ls is not Python", "--version says"}},
		{"chosen and silent", nil, "true", "", []string{"MKL_PYTHON=true is not Python"}},
		{"chosen and not there", []interp{{"python3", "[3, 11, 2]", "true", some}}, "snake", "",
			[]string{"MKL_PYTHON=snake", "not a program"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin, _, _ := bench(t)
			for _, i := range c.there {
				install(t, bin, i.name, i.version, i.venv, i.lacks)
			}
			t.Setenv("MKL_PYTHON", c.chosen)
			p, err := findPython(t.Context(), requirements)
			if c.takes != "" {
				if err != nil || p.Executable != filepath.Join(bin, c.takes) {
					t.Errorf("takes %v, %v, expected %s", p, err, c.takes)
				}
				return
			}
			if err == nil || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "import") {
				t.Fatalf("%v, %v, expected an error of one line in words", p, err)
			}
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error is %q, expected one with %q", err, part)
				}
			}
		})
	}
}

// TestVenv: made once, taken after that without a word; one that was interrupted is made anew.
func TestVenv(t *testing.T) {
	bin, cache, journal := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)

	t.Setenv("FAKE_PIP", "echo 'Collecting a'; echo 'ERROR: hashes do not match'; exit 1")
	if _, err := python(t.Context(), cache, Quiet); err == nil || !strings.Contains(err.Error(),
		"hashes do not match") {
		t.Fatalf("error is %v, expected what pip said last", err)
	}
	t.Setenv("FAKE_PIP", "exec sleep 60")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for journal() != "venv pip venv pip" && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := python(ctx, cache, Quiet); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v, expected that it was stopped", err)
	}
	t.Setenv("FAKE_PIP", "exit 0")
	path := must(python(t.Context(), cache, Quiet))
	if !strings.HasPrefix(path, cache) {
		t.Errorf("interpreter is %s, expected one in the cache folder", path)
	}
	if got, want := journal(), "venv pip venv pip venv pip"; got != want {
		t.Errorf("asked for %q, expected %q", got, want)
	}
	again, err := python(t.Context(), cache, func(line string) { t.Errorf("the second time it says %q", line) })
	if err != nil || again != path {
		t.Errorf("the second time it is %s, %v, expected %s", again, err, path)
	}
	if got, want := journal(), "venv pip venv pip venv pip"; got != want {
		t.Errorf("asked for %q, expected nothing more than %q", got, want)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil { // its base was removed
		t.Fatal(err)
	}
	if _, err := python(t.Context(), cache, Quiet); err != nil {
		t.Error(err)
	}
	if got, want := journal(), "venv pip venv pip venv pip venv pip"; got != want {
		t.Errorf("asked for %q, expected that an environment that does not run is made anew", got)
	}
}

// TestVenvKilled: where a set-up is killed while pip runs, pip ends with it; another one makes the environment anew.
func TestVenvKilled(t *testing.T) {
	if cache := os.Getenv("MKL_TEST_KILLED"); cache != "" { // the one that is killed
		_, err := python(t.Context(), cache, Quiet)
		t.Fatal("not killed: ", err)
	}
	bin, cache, journal := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)
	t.Setenv("FAKE_PIP", `sleep 3; echo "end" >>"$FAKE_JOURNAL"; touch "${self%/*}/late"`)
	cmd := exec.Command(os.Args[0], "-test.run=^TestVenvKilled$")
	cmd.Env = append(os.Environ(), "MKL_TEST_KILLED="+cache)
	try(cmd.Start())
	for deadline := time.Now().Add(20 * time.Second); journal() != "venv pip"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("asked for %q only", journal())
		}
	}
	try(cmd.Process.Kill())
	cmd.Wait()
	t.Setenv("FAKE_PIP", "exit 0")
	path := must(python(t.Context(), cache, Quiet))
	if got, want := journal(), "venv pip venv pip"; got != want {
		t.Errorf("asked for %q, expected %q: the end of the first is none of its own", got, want)
	}
	if exists(filepath.Join(filepath.Dir(path), "late")) {
		t.Error("the environment holds what the killed one's pip wrote")
	}
}

// TestVenvFullDisk: on a file system without room the error is that, in one line.
func TestVenvFullDisk(t *testing.T) {
	bin, _, _ := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)
	small := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "mkl-test",
		small).CombinedOutput(); err != nil {
		t.Skipf("no file system of its own: %v: %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", small).Run() }) // also where something looks at it still
	t.Setenv("FAKE_PIP", `head -c 1000000 /dev/zero >"${self%/*}/wheel"`)
	_, err := python(t.Context(), small, Quiet)
	if !errors.Is(err, ErrDiskFull) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, expected one line that wraps ErrDiskFull", err)
	}
	// Nothing at all is left now: not for the environment, not for a file of our own.
	exec.Command("sh", "-c", "head -c 1000000 /dev/zero >'"+small+"/rest'").Run()
	if _, err := python(t.Context(), small, Quiet); !errors.Is(err, ErrDiskFull) {
		t.Errorf("error is %v, expected one that wraps ErrDiskFull", err)
	}
	if err := writeWhole(filepath.Join(small, "file"), make([]byte, 1<<20), 0o644); !errors.Is(err, ErrDiskFull) {
		t.Errorf("error is %v, expected one that wraps ErrDiskFull", err)
	}
}

// TestVenvTwoAtOnce: who waited for a set-up takes what that has made, which is in use by then.
func TestVenvTwoAtOnce(t *testing.T) {
	bin, cache, journal := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)
	t.Setenv("FAKE_PIP", "sleep 0.5")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := python(t.Context(), cache, Quiet); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, want := journal(), "venv pip"; got != want {
		t.Errorf("asked for %q, expected %q", got, want)
	}
}

// TestVenvNeedsNetwork: pip's pages of retries become one sentence.
func TestVenvNeedsNetwork(t *testing.T) {
	bin, cache, _ := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", some)
	t.Setenv("FAKE_PIP", `echo "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(...: Temporary failure in name resolution)'"
		echo "ERROR: No matching distribution found for anyio"; exit 1`)
	_, err := python(t.Context(), cache, Quiet)
	if !errors.Is(err, ErrNoNetwork) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, expected one line that wraps ErrNoNetwork", err)
	}
}

// TestInstalled: an interpreter that has every locked package is taken as it is.
func TestInstalled(t *testing.T) {
	bin, cache, journal := bench(t)
	install(t, bin, "python3", "[3, 11, 2]", "true", "[]")
	path, err := python(t.Context(), cache, func(line string) { t.Errorf("it says %q", line) })
	if err != nil || path != filepath.Join(bin, "python3") {
		t.Errorf("interpreter is %s, %v, expected the installed one", path, err)
	}
	if journal() != "" {
		t.Errorf("asked for %q, expected nothing", journal())
	}
}

// TestWheels: every locked package has a wheel, with a locked hash, for each system and processor that we name, an
// Intel Mac among them; pip says so of systems that it does not run on.
func TestWheels(t *testing.T) {
	testenv.Long(t) // asks for a hundred packages six times
	p := must(Python(t.Context(), "python", "JupyterLab", requirements, nil))
	lacks := func(lock, platform, version string) string {
		args := []string{"-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps",
			"--require-hashes",
			"--only-binary=:all:", "--python-version", version, "--target", t.TempDir(), "-r", "/dev/stdin"}
		for tag := range strings.FieldsSeq(platform) { // pip takes a tag as it is, and none that it implies
			args = append(args, "--platform", tag)
		}
		cmd := exec.Command(p, args...)
		cmd.Stdin = strings.NewReader(lock)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Sprintf("%v: %s", err, out)
		}
		return ""
	}
	// Conditions of the lock (python_full_version >= "3.11.5") are judged by the interpreter that runs pip, not by
	// --python-version: what it takes has to suit the others.
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
		t.Errorf("a package without a wheel is taken: %q", why)
	}
}

// TestProbe runs the probe in a real interpreter, if there is one.
func TestProbe(t *testing.T) {
	p, err := findPython(t.Context(), requirements)
	if err != nil {
		testenv.Lacks(t, err.Error())
	}
	if p.old() || !filepath.IsAbs(p.Executable) {
		t.Errorf("%+v, expected a suitable version and an absolute path", p)
	}
	for _, line := range p.Lacks {
		if !strings.Contains(string(requirements), line) {
			t.Errorf("lacks %q, which is not in the lock", line)
		}
	}
}

// python is the environment of JupyterLab in the cache folder cache.
func python(ctx context.Context, cache string, say func(string)) (string, error) {
	return packages(ctx, cache, "python", "JupyterLab", requirements, say)
}

package notebooks

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

// The output of a cell follows all of its inputs, in this kernel as in GoNB's own. The tests of this file change an
// input between two cells, by shell lines in the cells, and compare both kernels.

// library is a module that cells import. Its path looks like a path of the module cache.
var library = map[string]string{
	"go.mod":   "module example.com/lib\n\ngo 1.26\n",
	"value.go": "package lib\n\nfunc Value() int { return 1 }\n",
	"words.go": "package lib\n\nimport (\n\t\"embed\"\n\t\"io/fs\"\n)\n\n//go:embed words\nvar files embed.FS\n\n" +
		"func Words() (all string) {\n\tfs.WalkDir(files, \".\", func(path string, d fs.DirEntry, _ error) error {\n" +
		"\t\tif !d.IsDir() {\n\t\t\tb, _ := files.ReadFile(path)\n\t\t\tall += string(b)\n\t\t}\n\t\treturn nil\n" +
		"\t})\n\treturn all\n}\n",
	"words/a":     "one",
	"level_v1.go": "//go:build !amd64.v3\n\npackage lib\n\nconst Level = 1\n",
	"level_v3.go": "//go:build amd64.v3\n\npackage lib\n\nconst Level = 3\n",
	"old.go":      "//go:build !upgraded\n\npackage lib\n\nconst Go = \"old\"\n",
	"new.go":      "//go:build upgraded\n\npackage lib\n\nconst Go = \"new\"\n",
}

// bothKernels sends the cells to this kernel and to GoNB's own, each with a copy of library as the checkout. DIR in a
// cell is the folder of library. Beside it is only the folder bin, first on PATH: it contains go, a link to old, which
// runs the go command, and new, which imitates another version by a build tag.
func bothKernels(t *testing.T, cells ...string) [2][]answer {
	t.Helper()
	env := environment(t)
	var spec map[string]any
	content := must(os.ReadFile(filepath.Join(env.Root, "notebooks", "jupyter", "kernels", setup.KernelName,
		"kernel.json")))
	try(json.Unmarshal(content, &spec))
	var got [2][]answer
	var wg sync.WaitGroup
	for i, vars := range []map[string]any{spec["env"].(map[string]any),
		{"MKL_GO": "plain", "GOPROXY": "off", "GOWORK": ""}} {
		dir := filepath.Join(t.TempDir(), "a@v1", "lib@v1.0.0")
		parent := filepath.Dir(dir)
		files := map[string]string{
			"bin/old": fmt.Sprintf("#!/bin/sh\nexec %q \"$@\"\n", env.Go),
			"bin/new": fmt.Sprintf("#!/bin/sh\nGOFLAGS=\"$GOFLAGS -tags=upgraded\" exec %q \"$@\"\n", env.Go),
		}
		for name, content := range library {
			files["lib@v1.0.0/"+name] = content
		}
		testenv.Write(t, parent, files)
		try(os.Symlink("old", filepath.Join(parent, "bin", "go")))
		vars["PATH"] = filepath.Join(parent, "bin") + ":${PATH}"
		made := must(json.Marshal(map[string]any{
			"argv": []string{filepath.Join(env.Tools, "gonb"), "--kernel", "{connection_file}", "-go_work=" +
				dir, "-logtostderr=true"},
			"display_name": "test", "language": "go", "interrupt_mode": "message", "env": vars,
		}))
		data := t.TempDir()
		testenv.Write(t, data, map[string]string{"kernels/stale/kernel.json": string(made)})
		mine := make([]string, len(cells))
		for k, c := range cells {
			mine[k] = strings.ReplaceAll(c, "DIR", dir)
		}
		wg.Go(func() { got[i] = askKernel(t, "stale", data, true, mine...) })
	}
	wg.Wait()
	return got
}

// TestStale tests that no output depends on an earlier state of an input.
func TestStale(t *testing.T) {
	const all = "%%\nfmt.Println(lib.Value(), lib.Words(), lib.Level, lib.Go)"
	steps := []struct{ about, cell, want string }{
		{"the first", "import (\n\"fmt\"\n\"runtime\"\n\"example.com/lib\"\n)\n" + all, "1 one 1 old\n"},
		{"again", all, "1 one 1 old\n"},
		{"a library file", "!sed -i s/1/2/ DIR/value.go\n" + all, "2 one 1 old\n"},
		{"and back", "!sed -i s/2/1/ DIR/value.go\n" + all, "1 one 1 old\n"},
		{"an embedded file, of the same size", "!printf two >DIR/words/a\n" + all, "1 two 1 old\n"},
		{"a new file in a new folder of an embed", "!mkdir DIR/words/deep; printf three >DIR/words/deep/b\n" +
			all, "1 twothree 1 old\n"},
		{"an embedded file that is gone", "!rm DIR/words/a\n" + all, "1 three 1 old\n"},
		{"a new package", "!mkdir DIR/more; printf 'package more\\n\\nconst N = 1\\n' >DIR/more/more.go\n" +
			"import \"example.com/lib/more\"\n%%\nfmt.Println(more.N)", "1\n"},
		{"and another file in it",
			"!printf 'package more\\n\\nconst M = 2\\n' >DIR/more/m.go\n%%\nfmt.Println(more.N, more.M)", "1 2\n"},
		{"an own module", "!mkdir DIR/../own; printf 'module example.com/own\\n\\ngo 1.26\\n' >DIR/../own/go.mod; " +
			"printf 'package own\\n\\nconst N = 1\\n' >DIR/../own/own.go\n" +
			"!*go work use DIR/../own\n%goworkfix\nimport \"example.com/own\"\n%%\nfmt.Println(own.N)", "1\n"},
		{"and an edit of it", "!sed -i s/1/2/ DIR/../own/own.go\n%%\nfmt.Println(own.N)", "2\n"},
		{"another Go by a link", "!ln -sf new DIR/../bin/go\n" + all, "1 three 1 new\n"},
		{"another Go by a program",
			"!printf '#!/bin/sh\\nexec DIR/../bin/old \"$@\"\\n' >DIR/../bin/go.new; chmod +x DIR/../bin/go.new; mv " +
				"DIR/../bin/go.new DIR/../bin/go\n" + all, "1 three 1 old\n"},
	}
	type step = struct{ about, cell, want string }
	if testenv.Full() { // each step compiles the standard library
		steps = append(steps,
			step{"an empty cache", "%env GOCACHE DIR/../cache\n!go clean -cache\n" + all, "1 three 1 old\n"},
			step{"emptied once more", "!go clean -cache\n" + all, "1 three 1 old\n"})
		if cpu, _ := os.ReadFile("/proc/cpuinfo"); runtime.GOARCH == "amd64" && strings.Contains(string(cpu), "avx2") &&
			strings.Contains(string(cpu), "bmi2") {
			steps = append(steps, step{"the level of the processor", "%env GOAMD64 v3\n" + all, "1 three 3 old\n"})
		}
	}
	steps = append(steps, step{"the folder of Go", "%%\nfmt.Println(runtime.GOROOT() != \"\")", "true\n"},
		step{"the same again", "%%\nfmt.Println(runtime.GOROOT() != \"\")", "true\n"})
	cells := make([]string, len(steps))
	for i, s := range steps {
		cells[i] = s.cell
	}
	for i, answers := range bothKernels(t, cells...) {
		for k, a := range answers {
			// %env and %goworkfix print lines before the output of the cell.
			if a.Status != "ok" || !strings.HasSuffix(a.Output, steps[k].want) {
				t.Errorf("%s, %s: %s %q, expected %q", []string{"this kernel", "GoNB's own"}[i], steps[k].about,
					a.Status, a.Output, steps[k].want)
			}
		}
	}
}

// TestRemovedModules tests that after go clean -modcache, the error of a cell names the missing module and the remedy.
func TestRemovedModules(t *testing.T) {
	proxies, cache := moduleProxy(t), t.TempDir()
	t.Cleanup(func() { exec.Command("chmod", "-R", "u+w", cache).Run() })
	const cell = "import (\n\"fmt\"\n\"example.com/hello\"\n)\n%%\nfmt.Println(hello.Word())"
	fetch := "%env GOMODCACHE " + cache + "\n!*GOPROXY=" + proxies + " GOSUMDB=off go get example.com/hello@v1.2.3"
	got := ask(t, fetch, cell, "!go clean -modcache\n!*go env GOMODCACHE")
	if got[1].Status != "ok" || got[1].Output != "a word\n" || got[2].Status != "ok" {
		t.Fatalf("%+v", got)
	}
	got = ask(t, fetch, "!go clean -modcache\n"+cell)
	if a := got[1]; a.Status != "error" ||
		!strings.Contains(a.Output, "module example.com/hello@v1.2.3 is no longer installed") ||
		!strings.Contains(a.Output, "go run ./mklnb/lab -setup") {
		t.Errorf("the cell ends with status %s and shows %q", a.Status, a.Output)
	}
}

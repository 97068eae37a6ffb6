package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// TestPrograms: programs are built once for several that ask at the same time, and again where one is missing, empty,
// cut off, of another content or from other sources; nothing is left behind.
func TestPrograms(t *testing.T) {
	cache := t.TempDir()
	built := atomic.Int32{}
	p := programs{kind: "tools", dir: filepath.Join(cache, "tools-1"), from: "sources", names: []string{"a", "b"}}
	p.build = func(_ context.Context, to string, _ *os.File) error {
		built.Add(1)
		testenv.Write(t, to, map[string]string{"a": "program a", "b": "program b", "aside": ""})
		return nil
	}
	made := func(about string, want int32) {
		t.Helper()
		built.Store(0)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := p.ensure(t.Context(), cache, Quiet); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if left := fmt.Sprint(must(os.ReadDir(cache))); built.Load() != want || left != "[d tools-1/ - tools.lock]" {
			t.Errorf("%s: built %d times, expected %d; %s is left", about, built.Load(), want, left)
		}
	}
	made("the first time", 1)
	made("again", 0)
	for about, content := range map[string]string{"empty": "", "cut off": "program",
		"of another content": "program c"} {
		testenv.Write(t, p.dir, map[string]string{"b": content})
		made(about, 1)
	}
	try(os.Remove(filepath.Join(p.dir, "a")))
	made("missing", 1)
	p.from = "other sources"
	made("other sources", 1)
}

// TestInstalledTools takes the tools of a folder on PATH, as in an image, and none of them where one is another
// program.
func TestInstalledTools(t *testing.T) {
	root, dir := must(Root()), t.TempDir()
	t.Setenv("PATH", onlyGo(t)+string(os.PathListSeparator)+dir)
	testenv.Write(t, dir, map[string]string{"gonb": "#!/bin/sh\n", "goimports": "#!/bin/sh\n"})
	mark := must(programsMark(dir, must(toolsName(root)), toolNames))
	testenv.Write(t, dir, map[string]string{madeFrom: mark})
	if got, ok := installedTools(root); !ok || got != dir {
		t.Errorf("the tools on PATH are in %q, %v, want %s", got, ok, dir)
	}
	testenv.Write(t, dir, map[string]string{"goimports": "#!/bin/sh\nexit 1\n"})
	if got, ok := installedTools(root); ok {
		t.Errorf("the tools on PATH are in %q with another goimports", got)
	}
}

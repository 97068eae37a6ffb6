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

// TestPrograms tests that programs are built once for several callers at the same time, and again if one is missing or
// the sources have changed. Nothing else remains, in particular not the folder of a killed setup.
func TestPrograms(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "a [cache]")
	built := atomic.Int32{}
	p := programs{kind: "tools", dir: filepath.Join(cache, "tools-1"), sources: "sources", names: []string{"a", "b"}}
	p.build = func(_ context.Context, to string) error {
		built.Add(1)
		testenv.Write(t, to, map[string]string{"a": "program a", "b": "program b", "../source/x": ""})
		return nil
	}
	testenv.Write(t, cache, map[string]string{".building-tools/bin/a": ""})
	ensure := func(state string, want int32) {
		t.Helper()
		built.Store(0)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := p.ensure(t.Context(), cache, quiet); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		entries := fmt.Sprint(must(os.ReadDir(cache)))
		if built.Load() != want || entries != "[d tools-1/ - tools.lock]" {
			t.Errorf("%s: built %d times, expected %d; the cache contains %s", state, built.Load(), want, entries)
		}
	}
	ensure("empty cache", 1)
	ensure("complete", 0)
	try(os.Remove(filepath.Join(p.dir, "a")))
	ensure("a program is missing", 1)
	try(os.Remove(filepath.Join(p.dir, builtFrom)))
	ensure("the marker is missing", 1)
	p.sources = "other sources"
	ensure("other sources", 1)
}

// TestInstalledTools tests that tools on PATH, as in an image, are used if they were built from the sources of this
// checkout.
func TestInstalledTools(t *testing.T) {
	root, dir := must(Root()), t.TempDir()
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("PATH", onlyGo(t)+string(os.PathListSeparator)+dir)
	testenv.Write(t, dir, map[string]string{"gonb": "#!/bin/sh\n", "goimports": "#!/bin/sh\n",
		builtFrom: must(toolsSources(root))})
	if got, err := ensureTools(t.Context(), root, cache, quiet); err != nil || got != dir {
		t.Errorf("the tools are in %q, %v, expected %s", got, err, dir)
	}
	testenv.Write(t, dir, map[string]string{builtFrom: "other sources"})
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
	if got, err := ensureTools(t.Context(), root, cache, quiet); err == nil {
		t.Errorf("the tools are in %q, though they were built from other sources", got)
	}
}

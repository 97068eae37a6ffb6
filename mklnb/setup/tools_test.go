package setup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

// TestInstalledTools takes the tools of a folder on PATH, as in an image, and none of them where one is missing,
// is another program, or was built from other sources.
func TestInstalledTools(t *testing.T) {
	root := must(Root())
	dir := t.TempDir()
	t.Setenv("PATH", onlyGo(t)+string(os.PathListSeparator)+dir)
	build := func() {
		t.Helper()
		files := map[string]string{}
		for _, tool := range kernelTools {
			files[tool.name] = "#!/bin/sh\n"
		}
		testenv.Write(t, dir, files)
		name := must(toolsName(root))
		mark := must(programsMark(dir, name, toolNames))
		testenv.Write(t, dir, map[string]string{madeFrom: mark})
		if got, ok := installedTools(root); !ok || got != dir {
			t.Errorf("the tools on PATH are in %q, %v, want %s", got, ok, dir)
		}
	}
	for _, tool := range kernelTools {
		build()
		try(os.Remove(filepath.Join(dir, tool.name)))
		if got, ok := installedTools(root); ok {
			t.Errorf("the tools on PATH are in %q without %s", got, tool.name)
		}
		build()
		testenv.Write(t, dir, map[string]string{tool.name: "#!/bin/sh\nexit 1\n"})
		if got, ok := installedTools(root); ok {
			t.Errorf("the tools on PATH are in %q with another %s", got, tool.name)
		}
	}
	build()
	testenv.Write(t, dir, map[string]string{madeFrom: "another\n"})
	if got, ok := installedTools(root); ok {
		t.Errorf("the tools on PATH are in %q, built from other sources", got)
	}
}

// TestToolsDamaged: tools in the cache folder that are empty or cut off are built again.
func TestToolsDamaged(t *testing.T) {
	testenv.Long(t)
	root := must(Root())
	cache := t.TempDir()
	t.Setenv("PATH", onlyGo(t))
	made := func(want bool) (dir string) {
		t.Helper()
		said := ""
		dir, err := tools(t.Context(), root, cache, func(line string) { said += line })
		if errors.Is(err, ErrNoNetwork) {
			t.Skip(err)
		}
		if err != nil || (said != "") != want {
			t.Fatalf("says %q, %v, want that they are built: %v", said, err, want)
		}
		return dir
	}
	dir := made(true)
	made(false)
	for i, name := range toolNames {
		try(os.Truncate(filepath.Join(dir, name), int64(1000*i)))
		made(true)
		made(false)
	}
}

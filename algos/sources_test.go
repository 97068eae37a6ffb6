package algos_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos"
)

// TestSources: Sources holds the library files of this folder and no tests.
func TestSources(t *testing.T) {
	isCommand := regexp.MustCompile(`(?m)^package main$`)
	files := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		folder := path.Base(path.Dir(name))
		if d.IsDir() && (d.Name() == "testdata" || name != "." && exists(path.Join(name, "go.mod"))) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Dir(name) == "." || path.Ext(name) != ".go" && path.Ext(name) != ".s" {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		embedded, bad := algos.Sources.ReadFile(name)
		isTest := strings.HasSuffix(name, "_test.go")
		switch {
		case bad == nil && string(embedded) != string(content):
			t.Errorf("%s is embedded with another content; build the test again", name)
		case bad == nil && isTest:
			t.Errorf("%s is a test and is embedded", name)
		case bad == nil:
			files++
		case !isTest && !strings.HasSuffix(folder, "test") && !isCommand.Match(content):
			t.Errorf("%s is not embedded; add a pattern to algos.Sources, or give the file another name", name)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files are embedded (%v); at least 100 library files exist", files, err)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

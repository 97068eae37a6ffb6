// Package kepttest makes kept results again. That takes minutes to days, so it is done on demand:
//
//	MKL_SIZE=full go test ./notebooks/papers/NAME -run TestKept/WHICH -regen -timeout 9h
//
// with MKL_DATA naming the folder of the files that are not embedded. Results are written into the folder results of
// the package that is tested.
package kepttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

var regen = flag.Bool("regen", false, "write the results that are kept")

// Full skips the test where the full size is not asked for.
func Full(t *testing.T) {
	t.Helper()
	if !testenv.Full() {
		t.Skip("MKL_SIZE is not full")
	}
}

// Regen skips the test where no results are to be written.
func Regen(t *testing.T) {
	t.Helper()
	if Full(t); !*regen {
		t.Skip("without -regen nothing is written")
	}
}

// Write stores results as results/NAME.json, an entry of a list on each line, where they are to be written.
func Write(t *testing.T, name string, results any) {
	t.Helper()
	if !*regen {
		return
	}
	content, err := json.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	if content[0] == '[' {
		content = bytes.ReplaceAll(content, []byte(`{"Data"`), []byte("\n{\"Data\""))
	}
	if err := os.WriteFile(filepath.Join("results", name+".json"), append(content, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

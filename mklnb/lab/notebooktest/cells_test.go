package notebooks

import (
	"path/filepath"
	"strings"
	"testing"
)

// cellsOutput contains a part of the output of each cell of testdata/cells.ipynb. Without the patch of GoNB, cells 2 to
// 5 end the kernel, cells 6, 8 and 10 lose code or text without an error, cells 8 and 9 run a line of text as a shell
// command, and cells 11 and 12 wait until they are stopped.
var cellsOutput = []string{
	1:  "",
	2:  `lines 2 and 4 of this cell ("%%" and "%%") each start a program`,
	3:  `lines 1 and 3 of this cell ("%%" and "%main") each start a program`,
	4:  `line 3 of this cell is only "%"`,
	5:  `line 1 of this cell is only "!"`,
	6:  "main is declared twice in this cell",
	7:  "",
	8:  `"@relation t\n% made by hand\n!touch made_by_a_string\n%%\n% \npackage p\n"`,
	9:  "shell\n96 ` /*\n",
	10: `//go:embed does not work in a cell, whose program is built in another folder`,
	11: "0 EOF\n",
	12: "read: \n",
	13: "7 8\n",
}

// TestCells sends all cells of testdata/cells.ipynb to a kernel at once. A cell with a mistake is an error of this cell
// alone, text is text, and what other cells declared remains.
func TestCells(t *testing.T) {
	path := filepath.Join("testdata", "cells.ipynb")
	cells := must(read(path)).code()
	if len(cells) != len(cellsOutput)-1 {
		t.Errorf("%s has %d cells, expected %d", path, len(cells), len(cellsOutput)-1)
	}
	var sources []string
	for _, c := range cells {
		sources = append(sources, string(c.Source))
	}
	answers := askKernel(t, false, append(sources, "!ls")...)
	for i, c := range cells {
		status, a := "ok", answers[i]
		if len(c.Metadata.Tags) > 0 {
			status = "error"
		}
		if a.Status != status || !strings.Contains(a.Output+a.Error, cellsOutput[i+1]) {
			t.Errorf("cell %d ends with status %s and shows %q, expected %s and %q in it", i+1, a.Status,
				a.Output+a.Error, status, cellsOutput[i+1])
		}
	}
	if a := answers[len(cells)]; a.Status != "ok" || strings.Contains(a.Output, "made_by") {
		t.Errorf("a line of text ran as a shell command; the folder contains %q", a.Output)
	}
}

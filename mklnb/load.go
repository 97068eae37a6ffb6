package mklnb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mklnb/mkl/data"
)

// Load returns a dataset by name: see data.Load. data.Names lists those that are always there,
// data.Doors those whose file the reader brings:
//
//	nb.Must(data.Import("parkinsons", "parkinsons.data")) // once
//
// A file of your own is read by Open.
func Load(name string) *data.Dataset {
	drawing.prepare()
	d, err := data.Load(name)
	if err != nil && fileLike(name) {
		err = fmt.Errorf("%w; a file is read by nb.Open(%q)", err, name)
	}
	return Must(d, err)
}

// fileLike says whether a name is that of a file rather than of a dataset.
func fileLike(name string) bool {
	_, err := os.Stat(name)
	return err == nil || filepath.Ext(name) != "" || strings.ContainsAny(name, `/\`)
}

// Open reads a dataset from a file: see data.Open. Options are those of data.Options:
//
//	d := nb.Must(data.Options{Label: "sick", Missing: data.Drop}.Open("my.csv"))
func Open(path string) *data.Dataset {
	drawing.prepare()
	return Must(data.Open(path))
}

// Size chooses by the environment variable MKL_SIZE how much a notebook computes: small for a
// test, default (or not set) for a reader who waits, full for a paper's own protocol.
//
//	var splits = nb.Size(2, 10, 30)
func Size[T any](small, standard, full T) T {
	switch size := os.Getenv("MKL_SIZE"); size {
	case "small":
		return small
	case "", "default":
		return standard
	case "full":
		return full
	default:
		fail(fmt.Errorf("mklnb: MKL_SIZE=%q, want small, default or full", size))
		return standard
	}
}

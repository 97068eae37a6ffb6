package mklnb

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
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
//
// Several numbers to predict, with one kernel for all, are named by Targets:
//
//	d := nb.Must(data.Options{Targets: []string{"weight", "waist", "pulse"}}.Open("club.csv"))
//
// Gram matrices are opened by data.OpenGrams, similarities by data.OpenSimilarities, several files of the same points by data.Join, other
// matrices by data.OpenMatrix. A new file like an earlier one is opened by d.Encoding.Open, or predicted
// by PredictFile of the model.
func Open(path string) *data.Dataset {
	drawing.prepare()
	d, err := data.Open(path)
	if err != nil {
		err = withOptions(path, err)
	}
	return Must(d, err)
}

// withOptions adds to an error that names a field of data.Options the call in which that is set.
func withOptions(path string, err error) error {
	_, rest, ok := strings.Cut(err.Error(), "Options.")
	if !ok {
		return err
	}
	name := rest
	if end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		name = rest[:end]
	}
	field, ok := reflect.TypeFor[data.Options]().FieldByName(name)
	if !ok {
		return err
	}
	value := "…"
	switch said, ok := strings.CutPrefix(rest, name+": "); {
	case ok && field.Type.PkgPath() != "": // a constant of package data
		value = "data." + said[:strings.IndexFunc(said+" ", func(r rune) bool { return !unicode.IsLetter(r) })]
	case ok && field.Type.Kind() == reflect.Int32:
		value = strings.Fields(said)[0]
	case field.Type == reflect.TypeFor[[]string]():
		value = `[]string{"…"}`
	case field.Type.Kind() == reflect.Bool:
		value = "true"
	case field.Type.Kind() == reflect.String:
		value = `"…"`
	}
	return fmt.Errorf("%w; options are set by nb.Must(data.Options{%s: %s}.Open(%q))", err, name, value, path)
}

// Views names groups of features that have kernels of their own: see data.Views.
//
//	l := nb.Learn(d, study.WithViews(nb.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}}))
type Views = data.Views

// Write writes x to a file whose name ends in .npy or .csv: a mat.Matrix such as a Gram matrix, points
// (kernel.Rows), numbers ([]float64), or the weights of a model, of what Learn or Solve returned: in NPY
// the weights alone, in CSV with the names of their kernels.
//
//	nb.Write("gram.npy", nb.Must(l.Model.Gram(nb.Must(d.Encoding.Points("my.csv")), nil)))
//	nb.Write("weights.csv", l)
func Write(path string, x any) {
	switch x := x.(type) {
	case mat.Matrix:
		Try(data.WriteMatrix(path, x))
	case kernel.Rows:
		Try(x.Validate())
		Try(data.WriteMatrix(path, mat.NewDense(x.N, x.D, x.Data)))
	case []float64:
		Try(writeVector(path, x))
	case *study.Learned:
		if x == nil || x.Model == nil {
			fail(fmt.Errorf("mklnb: write %s: there is no model", path))
		}
		Try(writeWeights(path, x.Model.Labels, x.Model.Theta))
	case *model.Model:
		Try(x.Validate())
		Try(writeWeights(path, x.Labels, x.Theta))
	case *mkl.Result:
		if x == nil {
			fail(fmt.Errorf("mklnb: write %s: a nil result", path))
		}
		Try(writeWeights(path, x.Labels, x.Theta))
	default:
		fail(fmt.Errorf("mklnb: write %s: a %T, want a matrix, points, numbers, a model, or what Learn or Solve returned", path, x))
	}
}

func writeVector(path string, v []float64) error {
	if len(v) == 0 {
		return fmt.Errorf("mklnb: write %s: no numbers", path)
	}
	return data.WriteMatrix(path, mat.NewVecDense(len(v), v))
}

// writeWeights writes weights, in CSV a line "kernel,weight" for each.
func writeWeights(path string, labels []string, theta []float64) error {
	if !strings.EqualFold(filepath.Ext(path), ".csv") {
		return writeVector(path, theta)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"kernel", "weight"})
	for k, t := range theta {
		label := fmt.Sprint(k + 1)
		if k < len(labels) {
			label = labels[k]
		}
		w.Write([]string{label, strconv.FormatFloat(t, 'g', -1, 64)})
	}
	w.Flush()
	return store.WriteFile(path, b.Bytes(), 0o644)
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

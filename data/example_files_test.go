package data_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mklnb/mkl/data"
)

// A CSV file with a header. The label is the last column unless Options.Label names another one.
func ExampleOpen() {
	path := filepath.Join(os.TempDir(), "patients.csv")
	text := "age,sex,sick\n41,f,no\n63,m,yes\n58,f,yes\n35,m,no\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)
	d, err := data.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d)
	fmt.Println(d.Features(), d.Labels())
	fmt.Println(d.Preparation)
	// Output:
	// patients: 4 points of 3 features, no 2, yes 2
	// [age sex=f sex=m] [no yes yes no]
	// 1 number and 1 nominal attribute, each value a column 0/1 named attribute=value (2 columns); nothing missing
}

// Two files of the same points, matched by the column id. Each file becomes a view with kernels of its own.
func ExampleJoin() {
	folder, err := os.MkdirTemp("", "views")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	open := func(name, text string, o data.Options) *data.Dataset {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
		d, err := o.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		return d
	}
	clinic := open("clinic.csv", "id,age,sick\np,41,no\nq,63,yes\n", data.Options{Key: "id"})
	lab := open("lab.csv", "id,sugar\nq,9\np,5\n", data.Options{Key: "id", Unlabeled: true})
	d, err := data.Join(clinic, lab)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d)
	fmt.Println(d.Features(), d.Views)
	// Output:
	// clinic + lab: 2 points of 2 features, no 1, yes 1
	// [clinic.age lab.sugar] [{clinic [0]} {lab [1]}]
}

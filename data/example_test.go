package data_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

func ExampleOptions_Read() {
	csv := `name,age,ward,sick
Ada,36,east,no
Bob,41,west,yes
Cyd,?,west,yes
`
	o := data.Options{Name: "patients", Format: data.CSV, DropColumns: []string{"name"}}
	_, err := o.Read(strings.NewReader(csv))
	fmt.Println(err)
	o.Missing = data.Drop
	d, err := o.Read(strings.NewReader(csv))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println(strings.Join(d.Features(), " "))
	fmt.Println(d.Preparation)
	// Output:
	// data: csv: row 3 (line 4), column 2 (age): the cell is missing; set Options.Missing: Drop or Fill
	// patients: 2 points of 3 features, no 1, yes 1
	// age ward=east ward=west
	// 1 number and 1 nominal attribute, each value a column 0/1 named attribute=value (2 columns); 1 of 3 points left out because of missing cells; left out: name
}

func ExampleRings() {
	d := datasets.Rings(80, 7)
	fmt.Println(d)
	fmt.Println(d.Title)
	// Output:
	// rings: 80 points of 2 features, inner 40, outer 40
	// Two noisy rings, simulated
}

func ExampleSimulatedArm() {
	d := datasets.SimulatedArm(100, 7)
	fmt.Println(d.Title)
	fmt.Println(d.Len(), d.Dim(), d.Features())
	// Output:
	// Robot arm of eight joints like kin8nm, simulated
	// 100 8 [theta1 theta2 theta3 theta4 theta5 theta6 theta7 theta8]
}

// Judgments of likeness of four things, with their kinds in another file: no kernel, and not symmetric.
func ExampleOptions_OpenSimilarities() {
	dir, err := os.MkdirTemp("", "likeness")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	judged, kinds := filepath.Join(dir, "judged.csv"), filepath.Join(dir, "kinds.csv")
	os.WriteFile(judged, []byte("2,2,0,1\n2,2,2,0\n0,3,2,2\n1,0,2,2\n"), 0o666)
	os.WriteFile(kinds, []byte("fruit\nfruit\ntool\ntool\n"), 0o666)

	d, err := data.Options{LabelFile: kinds}.OpenSimilarities(judged)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println(d.Doubts[0])
	s, err := similarity.Decompose(d.Similarities[0].Matrix())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("least eigenvalue %.2f\n", s.Values[0])
	// Output:
	// judged: 4 points, fruit 2, tool 2
	// judged is not symmetric: the largest difference is 1, between 2 in row 2, column 3, and 3 in row 3, column 2; the mean of both is used
	// least eigenvalue -1.89
}

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

package datasets_test

import (
	"fmt"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

func ExampleLoad() {
	d, err := datasets.Load("sonar")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	if d, err = d.FirstFeatures(2); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	_, err = datasets.Load("sonnar")
	fmt.Println(err)
	// Output:
	// sonar: 208 points of 60 features, R 97, M 111
	// sonar: 208 points of 2 features, R 97, M 111
	// datasets: no dataset "sonnar" (embedded: breast-ljubljana, breast-wisconsin, credit-g, finefoods, globins, heart-statlog, ionosphere, liver-bupa, pima, proteins, sonar, votes84; external: electronics, kin-8nm, kitchen, parkinsons, scop40); data.Open reads files
}

func ExampleList() {
	for _, s := range datasets.List() {
		fmt.Printf("%-16s %4d × %d\n", s.Name, s.N, s.D)
	}
	// Output:
	// breast-ljubljana  277 × 41
	// breast-wisconsin  683 × 9
	// credit-g         1000 × 61
	// finefoods        5000 × 5000
	// globins            45 × 0
	// heart-statlog     270 × 13
	// ionosphere        351 × 34
	// liver-bupa        345 × 6
	// pima              768 × 8
	// proteins         1838 × 0
	// sonar             208 × 60
	// votes84           435 × 48
}

func ExampleBigrams() {
	x := datasets.Bigrams([]string{"Not good. Not good at all!", "It's good<br/>at last"}, 3)
	fmt.Printf("%q\n", x.Names)
	for i := range x.Len() {
		columns, counts := x.Row(i)
		fmt.Println(columns, counts)
	}
	// Output:
	// ["good at" "not good" "at all"]
	// [0 1 2] [1 2 1]
	// [0] [1]
}

func ExampleLoadWith() {
	d, err := datasets.LoadWith("breast-wisconsin", data.Options{Missing: data.Fill})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d)
	fmt.Println(d.Preparation)
	// Output:
	// breast-wisconsin: 699 points of 9 features, benign 458, malignant 241
	// numbers of the file, unchanged; 16 missing cells filled in (column mean, or the level ? of a column of words); left out: id; 236 duplicate points kept
}

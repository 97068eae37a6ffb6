package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestSteps: a header of numbers in constant steps is not taken for a point.
func TestSteps(t *testing.T) {
	const asked = "in constant steps"
	classes := "0.1,0.5,0.2,0.9,%s\n0.4,0.1,0.8,0.3,%s\n0.7,0.2,0.2,0.6,%s\n0.5,0.5,0.1,0.2,%s\n"
	words := fmt.Sprintf(classes, "a", "b", "a", "b")
	numbers := fmt.Sprintf(classes, "1", "2", "1", "2")
	for in, want := range map[string]int{ // points; 0 where it is asked
		"400,410,420,430,440\n" + numbers:                                0,
		"440,430,420,410,400\n" + numbers:                                0,
		"400.5,401.0,401.5,402.0,402.5\n" + numbers:                      0,
		"0.1,0.2,0.3,0.4,0.5\n" + numbers:                                0,
		"400,410,420,430,class\n" + words:                                0,
		"1,2,3,4,class\n" + words:                                        0,
		"400,410,420,430,conc\n" + numbers:                               4,
		"400,410,420,430,a\n" + words:                                    5,
		"400,410,420,431,2\n" + numbers:                                  5,
		"5,5,5,5,1\n" + numbers:                                          5,
		"sample,400,410,420,class\ns1,1,3,2,a\ns2,4,2,2,b\ns3,4,2,1,a\n": 0,
		"1,3,5,7,9\n2,4,6,8,10\n1,5,2,7,9\n2,4,6,6,10\n":                 4,
	} {
		d, err := read(CSV, Options{}, in)
		switch {
		case want == 0:
			wantError(t, err, asked)
			if d, err := read(CSV, Options{Header: HeaderYes}, in); err != nil || d.Len() != strings.Count(in, "\n")-1 {
				t.Errorf("%q with a header: %v, %v", in, d, err)
			}
		case err != nil || d.Len() != want:
			t.Errorf("%q: %v, %v, want %d points", in, d, err, want)
		}
	}
	_, err := read(CSV, Options{Regression: true}, "400,410,425,conc\n1,5,2,3\n1,2,2,4\n")
	wantError(t, err, `the label "conc" is not a number`)
	wantError(t, err, "Options.Header")
}

// TestLatin1: letters that are no ASCII are three names; bytes that are not UTF-8 are refused (TestReadErrors).
func TestLatin1(t *testing.T) {
	if d := mustRead(t, CSV, Options{}, "a,y\n1,B\u00e4r\n2,B\u00f6r\n3,B\u00e4r\n4,B\ufffdr\n1,B\u00f6r\n"+
		"2,B\ufffdr\n"); len(d.Classes) != 3 {
		t.Errorf("classes %q", d.Classes)
	}
}

// TestManyDuplicates: more than a tenth of repeated points are doubted.
func TestManyDuplicates(t *testing.T) {
	for repeats, want := range map[int]bool{2: false, 3: true} {
		var b strings.Builder
		b.WriteString("a,b,y\n")
		for i := range 20 {
			fmt.Fprintf(&b, "%d,%d.5,%d\n", max(i, repeats)*7%23, max(i, repeats)*5%23, max(i, repeats)%2)
		}
		d := mustRead(t, CSV, Options{}, b.String())
		if got := strings.Contains(strings.Join(d.Doubts, "\n"), fmt.Sprintf("%d of 20 points repeat another one",
			repeats)); got != want {
			t.Errorf("%d repeats: doubts %q", repeats, d.Doubts)
		}
	}
}

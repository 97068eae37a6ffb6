package data

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// judge holds for every reading of any bytes: an error is one line with one prefix; a dataset is
// valid, not larger than the bytes justify, and the same when read again.
func judge(t *testing.T, in []byte, o Options) *Dataset {
	t.Helper()
	d, err := o.Read(bytes.NewReader(in))
	if err != nil {
		if s := err.Error(); !strings.HasPrefix(s, "data: ") || strings.ContainsAny(s, "\n\r") || len(s) > 1000 {
			t.Errorf("error %q, want one short line with the prefix data:", s)
		}
		return nil
	}
	if err := d.Validate(); err != nil {
		t.Errorf("read without error, but %v", err)
	}
	size := 0
	switch x := d.X.(type) {
	case points.Rows:
		size = len(x.Data)
	case points.Sparse:
		size = len(x.Val) + len(x.Ptr)
	}
	if most := maxLevels * (len(in) + 1); size > most {
		t.Errorf("%d numbers of %d bytes, want at most %d", size, len(in), most)
	}
	again, err := o.Read(bytes.NewReader(in))
	if err != nil || again.Digest() != d.Digest() || again.SHA256 != d.SHA256 {
		t.Errorf("read again it is %v, %v", again, err)
	}
	// The same bytes read like themselves are the same points, unless empty rows were skipped, which points to predict
	// may not have.
	skipped := strings.Contains(d.Preparation, "empty row")
	if o.Missing != Drop && !o.DropDuplicates && size < 1<<20 && !skipped {
		how := must(again.Encoding.newReadOptions(o.Format, false))
		like := must((&job{Options: how, training: again.Encoding}).read(in))
		if like.Digest() != d.Digest() || !slices.Equal(like.Group, d.Group) {
			t.Errorf("read like itself it is %v %v, want %v %v", like, like.X, d, d.X)
		}
	}
	return d
}

// options makes options of a byte, so that they are fuzzed too.
func options(f Format, b byte) Options {
	o := Options{Format: f, Regression: b&1 != 0}
	if f == CSV || f == ARFF {
		o.Missing = []Policy{Refuse, Refuse, Drop, Fill}[b>>1&3]
		o.KeepIndexColumn = f == CSV && b&128 != 0
		if b&0x86 == 0x86 { // with Fill
			o.Group = "a"
		}
	} else if f == LIBSVM {
		o.ZeroBased = b&4 != 0
	}
	o.LogTargets = o.Regression && b&128 != 0
	o.DropDuplicates = b>>5&3 == 2
	return o
}

// fuzz reads bytes as a format. Dense points are written as an array and read again: the same numbers and labels.
func fuzz(f *testing.F, format Format, bs []byte, seeds []string) {
	for _, s := range seeds {
		for _, b := range bs {
			f.Add([]byte(s), b)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, b byte) {
		o := options(format, b)
		d := judge(t, in, o)
		if d == nil || o.DropDuplicates { // which may leave too few for their classes
			return
		}
		x, ok := d.X.(points.Rows)
		if s, sparse := d.X.(points.Sparse); sparse && slices.Contains(s.Val, 0) {
			t.Errorf("an explicit zero in %v", s.Val)
		}
		if !ok || x.N == 0 {
			return
		}
		var v []float64
		for i := range x.N {
			v = append(append(v, x.Row(i)...), d.Y[i])
		}
		again := Options{Format: NPY, Regression: d.Classes == nil}
		if d.Classes != nil { // the numbers of the classes are names
			again.Categorical = []string{"label"}
		}
		g, err := again.Read(strings.NewReader(npyOf(x.N, x.D+1, v...)))
		if err != nil && strings.Contains(err.Error(), "set Options.Regression if they are numbers to predict") {
			return // words of many classes are accepted, numbers are not
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(dense(g.X), x.Data) || !slices.Equal(g.Y, d.Y) {
			t.Errorf("written and read it is %v %v, want %v %v", dense(g.X), g.Y, x.Data, d.Y)
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte(",y\n1,u,0\n?,v,1\nNA,,"), byte(0x87)) // faults whose messages together are long
	fuzz(f, CSV, []byte{0, 4, 6, 16 + 64, 0x86, 0x87}, []string{
		"a,b,y\n1,2,0\n3,4,1\n", "a,b,c,y\nu,2,0,3\nv,1,2,4\nu,3,4,5\n", "1,2\n3,4\n", "a,c,y\n1,u,0\n?,v,1\nNA,,1\n",
		"\uFEFF\"a,b\",y\r\n1,no\r\n2,yes",
		"a,y\n1e999,0\n", "a,y\nnan,0\n", "a,a\n1,2\n", "\"", "a,y\n1\n", ",,,\n,,,\n", "a,y\n1,0\n1,0\n1,1\n",
		"x,y\n0x1p3,0\n1_0,1\n",
		",a,y\n0,5,0\n1,6,1\n", "0,1,2,3,4\n1,2,3,4,5\n2,3,4,5,6\n", "a;b;y\n1,5;2;0\n3;4,25;1\n",
		"# x\n# a b y\n1 2  0\n3\t4 1\n  \n", "a y\nr 1 0\ns 2 1",
		"a,y\n$3,0\n2024-01-31,1\n", "\xFF\xFEa\x00,\x00", "a|y\n#1|0\n#2|1\n", "a,b,y\n\"1,5\",1,0\n\"2,5\",nan,1\n",
	})
}

func FuzzLIBSVM(f *testing.F) {
	fuzz(f, LIBSVM, []byte{0, 2, 16 + 64}, []string{
		"+1 1:0.5 3:-2 # c\n-1 2:1e-3\n", "1\n2 1:1", "1 1:1 1:2\n", "1 16777217:1\n", "1 -1:2\n",
		"qid 1:2\n", "1 1:nan\n",
		"0 5:0\r\n1 4:1\r\n", "1 1:1\n1 1:1\n2 1:1\n", ":", "1 1:1\n2 0:3 1:4\n", "1 0:1 1:5\n2 0:2 1:6\n", "1 :\n",
		"1 1:1\n2 16777216:1\n",
	})
}

func FuzzARFF(f *testing.F) {
	fuzz(f, ARFF, []byte{0, 1, 4, 6}, []string{
		weather, "@attribute a numeric\n@attribute y {0,1}\n@data\n2,1\n1,0\n",
		"@attribute 'a\\'b' {x,'y z'}\n@attribute y real\n@data\nx,1\n'y z',2\n",
		"@attribute a string\n@data\n", "@data\n", "@attribute a {\n",
		"@attribute a {x}\n@attribute y {0,1}\n@data\nx,?\n?,1\nx,0",
		"@attribute a numeric\n@attribute y numeric\n@data\n'",
	})
}

func FuzzNPY(f *testing.F) {
	fuzz(f, NPY, []byte{0, 1}, []string{
		npyOf(2, 2, 1, 0, 2, 1), npyOf(2, 3, 1, 0, 2, 1, 5, 6), npyFile(2, npyHeaderText("|u1", true, "(2, 2)"),
			[]byte{1, 2, 3, 4}),
		npyFile(1, npyHeaderText("|O", false, "(1, 2)"), nil), npyFile(1,
			npyHeaderText("<f8", false, "(1000000000, 1000000000)"), f8(1)),
		npyFile(1, npyHeaderText(">i2", false, "(3,)"), []byte{0, 1, 0, 2, 0, 3}), "\x93NUMPY", npyFile(3,
			"{'shape': (1, ",
			nil),
		npyFile(1, npyHeaderText("<f2", false, "(2, 2)"), []byte{0, 60, 0, 0, 0, 64, 0, 60}),
	})
}

func FuzzSequences(f *testing.F) {
	for _, s := range []string{
		">a x\nACD\nef g\n\n;c\n>b y\nWW*\n", ">\n", "ACD", ">a\n>b\nA\n", ">a 1\nA-C\n",
		"\uFEFF>a p\r\nAC\r\n>b q\r\nD", ">a x\nA\n>b x\nA\n>c y\nA\n",
		"id,s,y\n1,ACD,p\n2,EFG,q\n", "s,y\nAC,p\n,q\nA C,q\n", "y;s\np;AC\nq;DE\n", "s\nA\nC\n", "s,y\nA,p\nC\n",
		"s,y\nA,p\n?,q\n\"C\",q",
		"s,y\n?,?\nA,p\nC,q\n", // all cells below the header are missing
	} {
		for _, b := range []byte{0, 1, 2, 4, 1 + 8, 2 + 16} {
			f.Add([]byte(s), b)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, b byte) {
		o := Options{Format: FASTA}
		if b&1 != 0 {
			o.Label, o.Regression = "2", b&8 != 0
		}
		if b&2 != 0 {
			o = Options{Format: CSV, Sequence: "s", Unlabeled: b&4 != 0}
			if b&16 != 0 {
				o.Missing = Drop
			}
		}
		d := judge(t, in, o)
		if d == nil {
			return
		}
		all := strings.Join(d.X.(points.Sequences), "")
		if slices.Contains(d.X.(points.Sequences), "") || all != strings.ToUpper(all) || len(all) > len(in) {
			t.Errorf("sequences %q of %d bytes, want letters in upper case, not more than these", d.X, len(in))
		}
	})
}

// FuzzNumber: a number is what strconv reads once the marks are taken out, finite, and in the range of numbers; in the
// plain format it is what strconv reads.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "-1.5e3", "+.5", "1e999", "nan", "-Inf", "+-inf", "0x1p3", "1_0", "e", "", ".",
		"1e", "infinity", "1e-999", "1,234.5", "1.234", "007", "9007199254740993", "1 234", "1,5e3", "-0", "1e+05"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, format := range []sheet.NumberFormat{{}, {Decimal: ',', Thousands: '.'}, {Decimal: '.', Thousands: ','},
			{Decimal: ',', Thousands: ' '}} {
			v, ok, err := format.Parse(s)
			switch {
			case ok && (err != nil || math.IsNaN(v) || math.Abs(v) > sheet.LargestMagnitude):
				t.Errorf("parse(%q) = %g, %v", s, v, err)
			case !ok && v != 0:
				t.Errorf("parse(%q) = %g without a number", s, v)
			}
		}
		v, ok, err := sheet.NumberFormat{}.Parse(s)
		want, wrong := strconv.ParseFloat(s, 64)
		switch {
		case ok && (wrong != nil || v != want):
			t.Errorf("parse(%q) = %g, strconv reads %g, %v", s, v, want, wrong)
		case !ok && err == nil && wrong == nil && !strings.ContainsAny(s, "xX_"):
			t.Errorf("parse(%q) is text, strconv reads %g", s, want)
		}
	})
}

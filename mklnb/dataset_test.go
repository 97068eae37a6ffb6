package mklnb

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/data"
)

// The first rows of a file are its columns, also where some are left out or of several files; of points in memory
// they are the features. Of issue 26.
func TestFirstRowsAreTheFile(t *testing.T) {
	const in = "colour,age,size,y\nred,31,S,1\ngreen,32.5,?,2\nblue,33,L,1\nred,34,S,2\ngreen,38,L,1\nblue,39,L,2\n"
	read := func(name string) *data.Dataset {
		return Must(data.Options{Format: data.CSV, Name: name, Missing: data.Fill}.Read(strings.NewReader(in)))
	}
	d := read("file")
	for name, c := range map[string]struct {
		d    *data.Dataset
		want string
	}{
		"all":      {d, "colour age size y 1 red 31 S 1 2 green 32.5 ? 2 3 blue 33 L 1 4"},
		"selected": {Must(d.Select("size=L", "age", "colour=red", "size=S")), "size age colour y 1 S 31 red 1 2 – 32.5 – 2 3 L 33 – 1 4"},
		"rows":     {Must(d.Slice([]int{2, 0})), "colour age size y 1 blue 33 L 1 2 red 31 S 1"},
		"joined":   {Must(data.Join(read("a"), read("b"))), "a.colour a.age a.size b.colour b.age b.size y 1 red 31 S red 31 S 1 2"},
		"memory":   {&data.Dataset{X: d.X, Y: d.Y, Classes: d.Classes}, "colour=blue colour=green colour=red age size=L size=S size=? label 1 0 0 1 31 0 1 0 1 2"},
	} {
		f, ok := head(c.d)
		text := strings.Join(strings.Fields(f.Text()), " ")
		if !ok || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s\nwant %s", name, text, c.want)
		}
	}
}

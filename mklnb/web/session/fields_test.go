package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestOrderOfColumns opens a file, chooses another column of it, and opens a file with the same columns in another
// order. The columns have the order of the file. The last one is to be predicted, also if a label in it is missing.
func TestOrderOfColumns(t *testing.T) {
	s, folder := New(func(string) {}), t.TempDir()
	for _, c := range []struct {
		text, label string
		want        []string
		value       string
	}{
		{"x,z,y\n1,5,u\n2,6,v\n3,9,u\n4,7,v\n", "", []string{"x", "z", "y"}, "y"},
		{"x,z,y\n1,5,u\n2,6,v\n3,9,u\n4,7,v\n", "x", []string{"x", "z", "y"}, "x"},
		{"y,x,z\nu,5,1\nv,6,2\nu,9,\nv,7,9\n", "", []string{"y", "x", "z"}, "z"},
	} {
		path := filepath.Join(folder, "a.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		request, _ := json.Marshal(Request{Files: []string{path}, Options: map[string]string{"Label": c.label}})
		var a Answer
		if err := json.Unmarshal([]byte(s.Call("open", string(request))), &a); err != nil {
			t.Fatal(err)
		}
		if f := a.Fields[0]; f.Name != "Label" || f.Value != c.value || !slices.Equal(f.Choices, c.want) {
			t.Errorf("%q with Label %q: the first field is %+v, expected %s of %s", c.text, c.label, f, c.value, c.want)
		}
	}
}

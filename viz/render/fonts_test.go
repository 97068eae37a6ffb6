package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// The script of charts compares the browser's fonts with the widths for which charts are laid out.
func TestScriptKnowsTheWidths(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "mklnb", "chart.js"))
	if err != nil {
		t.Fatal(err)
	}
	const letters = "The weights of 20 kernels, 0.123456789 (RBF)"
	w := newWriter(true)
	plain, bold := w.textWidth(letters, textFont(100*px, false))/px, w.textWidth(letters, textFont(100*px, true))/px
	want := fmt.Sprintf("letters=%q,narrow=Math.min(1,%.0f/width(letters,100),%.0f/width(letters,100,\"bold\"))",
		letters, plain, bold)
	if !strings.Contains(string(script), want) {
		t.Errorf("chart.js does not hold %s", want)
	}
	if want := fmt.Sprintf("widest>%.0f", (vg.Length(Width*px)-2*margin)/px); !strings.Contains(string(script), want) {
		t.Errorf("chart.js does not hold %s: the room of a title", want)
	}
}

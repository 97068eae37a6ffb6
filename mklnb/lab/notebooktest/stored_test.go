package notebooks

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// storedNotebook returns a notebook with one code cell and its stored output.
func storedNotebook(source string, metadata, output object) []byte {
	n := newNotebook(source)
	c := n["cells"].([]any)[0].(object)
	c["metadata"] = metadata
	before := must(json.Marshal(n))
	c["execution_count"], c["outputs"] = 1, []any{output}
	return must(storeOutputs(before, must(json.Marshal(n))))
}

// htmlOutput returns a display of HTML.
func htmlOutput(text string) object {
	return object{"output_type": "display_data", "data": object{"text/html": text, "text/plain": "x"},
		"metadata": object{}}
}

// streamOutput returns printed text.
func streamOutput(name, text string) object {
	return object{"output_type": "stream", "name": name, "text": text}
}

// svgImage returns an image element with an SVG that contains the text.
func svgImage(text string) string {
	return `<img alt="a" src="data:image/svg+xml;base64,` +
		base64.StdEncoding.EncodeToString([]byte("<svg><text>"+text+"</text></svg>")) + `">`
}

// TestStaleComplaints tests that stale reports each forbidden part of a stored output and no allowed one.
func TestStaleComplaints(t *testing.T) {
	for _, c := range []struct {
		name   string
		about  object
		output object
		want   string // "" for no complaint
	}{
		{"a table", object{}, htmlOutput(`<table style="width:3s;max-width:700px"><tr><td>0.25</td></tr></table>`), ""},
		{"a picture for a chart, a script", object{"mkl_expect": []string{"chart"}},
			htmlOutput(svgImage("x") + `<script>(function(){"/tmp/x"})()</script>`), ""},
		{"no picture for a chart", object{"mkl_expect": []string{"chart"}}, htmlOutput("<p>no renderer</p>"),
			"0 pictures of 1 charts"},
		{"a path in a picture", object{}, htmlOutput(svgImage("/home/x")), "a path of a machine in its picture"},
		{"a time of day", object{}, streamOutput("stdout", "at 2026-01-02 10:11\n"), "a time of day"},
		{"a measured time", object{}, streamOutput("stdout", "took 1.25 s\n"), "a measured time"},
		{"a measured time, tagged", object{"tags": []string{"times"}}, streamOutput("stdout", "took 1.25 s\n"), ""},
		{"stderr", object{}, streamOutput("stderr", "warning\n"), "output on stderr"},
		{"the end of a progress bar is left out", object{},
			htmlOutput(`<div class="mkl-note" style="margin:2px 0">Study of x: 240 tasks done.</div>`), ""},
		{"a progress bar is left out", object{},
			htmlOutput(`<div class="mkl-progress"><progress></progress> about 3 s left</div>`), ""},
	} {
		content := storedNotebook("%%\nf()", c.about, c.output)
		got := strings.Join(must(parse("", content)).stale(), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: found %q, expected %q", c.name, got, c.want)
		}
		if left := strings.Contains(string(content), "output_type"); left == strings.HasSuffix(c.name, "left out") {
			t.Errorf("%s: the output is stored: %v", c.name, left)
		}
	}
}

// TestStoreOutputs tests that edits of a notebook after storing its outputs are reported, that text in pieces is
// joined, and that storing the outputs again changes nothing.
func TestStoreOutputs(t *testing.T) {
	good := storedNotebook("%%\nf()", object{}, htmlOutput("1"))
	for _, c := range []struct{ name, old, new, want string }{
		{"an edited cell", `f()`, `g()`, "was edited"},
		{"no outputs", `outputs_of`, `outputs`, "has no outputs"},
		{"a cell that was not run", `"execution_count": 1`, `"execution_count": null`, "did not run"},
		{"a script put back", `"1"`, `"<script>1</script>"`, "contains a script"},
	} {
		edited := strings.Replace(string(good), c.old, c.new, 1)
		if edited == string(good) {
			t.Errorf("%s: %q is not in the notebook:\n%s", c.name, c.old, good)
		}
		if got := strings.Join(must(parse("", []byte(edited))).stale(), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: found %q, expected %q", c.name, got, c.want)
		}
	}

	// Storing the outputs again changes nothing.
	again := must(storeOutputs(good, good))
	if !bytes.Equal(again, good) {
		t.Errorf("stored again, the notebook is\n%s\nexpected\n%s", again, good)
	}
	if _, err := storeOutputs(good, storedNotebook("%%\nother()", object{}, htmlOutput("1"))); err == nil {
		t.Error("outputs of other cells are stored")
	}
}

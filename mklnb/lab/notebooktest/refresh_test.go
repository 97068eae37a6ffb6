package notebooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/mklnb/setup"
)

// Notebooks are stored with outputs of the default size, with pictures and without scripts, so that they are readable
// where nothing runs. The metadata contain the fingerprint of the cells that produced the outputs, so that a later edit
// is detected without a run. After an edit, run this for one notebook or for all:
//
//	go test ./mklnb/lab/notebooktest -run TestOutputs/01_nkrr -regen -timeout 60m
var regen = flag.Bool("regen", false, "run the notebooks in the default size and store the outputs in them")

// refreshTimeout is the time limit of one cell of such a run.
const refreshTimeout = 30 * time.Minute

// TestOutputs tests that the stored outputs of every notebook belong to its current cells and contain no paths or
// addresses of a machine and no time of day. Only cells tagged times may contain measured times.
func TestOutputs(t *testing.T) {
	eachNotebook(t, func(t *testing.T, n *notebook) {
		content := must(os.ReadFile(n.Path))
		if *regen {
			content = must(refresh(t, n.Path, content))
		}
		for _, complaint := range must(parse(n.Path, content)).stale() {
			t.Errorf("%s: %s", n.Path, complaint)
		}
		if *regen && !t.Failed() {
			try(os.WriteFile(n.Path, content, 0o644))
		}
	})
}

// refresh runs a notebook and returns its content with the new outputs. The run finds no models and studies of earlier
// runs, which would change outputs.
func refresh(t *testing.T, path string, content []byte) ([]byte, error) {
	env, cache := environment(t), t.TempDir()
	entries, err := os.ReadDir(env.CacheFolder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "studies" {
			if err := os.Symlink(filepath.Join(env.CacheFolder, name), filepath.Join(cache, name)); err != nil {
				return nil, err
			}
		}
	}
	executed := filepath.Join(t.TempDir(), filepath.Base(path))
	say := func(line string) { fmt.Fprintf(os.Stderr, "%s: %s\n", path, line) }
	if err := env.Execute(t.Context(), setup.Execution{Notebook: path, ExecutedNotebookPath: executed,
		Timeout: refreshTimeout,
		Vars:    []string{"MKL_SIZE=default", "MKL_CACHE=" + cache, "MKL_MODELS=" + t.TempDir()}}, say); err != nil {
		return nil, err
	}
	done, err := os.ReadFile(executed)
	if err != nil {
		return nil, err
	}
	return storeOutputs(content, done)
}

// object is a JSON object.
type object = map[string]any

// decode reads JSON without changing the notation of numbers.
func decode(content []byte) (v object, err error) {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// cellsOf returns the cells of a notebook.
func cellsOf(notebook object) (cells []object) {
	for _, c := range notebook["cells"].([]any) {
		cells = append(cells, c.(object))
	}
	return cells
}

// joined returns a string that may be stored as a list of lines.
func joined(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, line := range v {
			b.WriteString(line.(string))
		}
		return b.String()
	}
	return ""
}

// lines returns a string in the form in which notebooks store it.
func lines(s string) []any {
	var list []any
	for line := range strings.Lines(s) {
		list = append(list, line)
	}
	return list
}

// storeOutputs returns the notebook content with the outputs of executed. The cells, their order and the metadata are
// unchanged. The format is Jupyter's, so that saving the notebook in Jupyter changes nothing else.
func storeOutputs(content, executed []byte) ([]byte, error) {
	notebook, err := decode(content)
	if err != nil {
		return nil, err
	}
	ran, err := decode(executed)
	if err != nil {
		return nil, err
	}
	to, from := cellsOf(notebook), cellsOf(ran)
	if len(to) != len(from) {
		return nil, fmt.Errorf("%d of %d cells ran", len(from), len(to))
	}
	for i, c := range to {
		if c["cell_type"] != "code" {
			continue
		}
		if joined(c["source"]) != joined(from[i]["source"]) {
			return nil, fmt.Errorf("cell at %d differs from the cell that ran", i)
		}
		c["execution_count"], c["outputs"] = from[i]["execution_count"], storedOutputs(from[i])
	}
	n, err := parse("", content)
	if err != nil {
		return nil, err
	}
	notebook["metadata"].(object)["mkl"] = object{"outputs_of": n.fingerprint()}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(notebook); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var (
	scriptElement = regexp.MustCompile(`(?s)<script\b([^>]*)>(.*?)</script>`)
	imageElement  = regexp.MustCompile(`<img\b[^>]*>`)
)

// progressBar marks a progress bar that was not replaced by its end.
const progressBar = `class="mkl-progress"`

// progressEnd matches the text that replaces a progress bar. It appears only if the work took long enough to show a
// bar.
var progressEnd = regexp.MustCompile(`^\s*<div class="mkl-note"[^>]*>[^<]*(?: done| after \d+ steps?)\.</div>\s*$`)

// storedOutputs returns the outputs of a cell without scripts, progress bars, their ends, and empty displays. It joins
// printed text that arrived in pieces. The result therefore does not depend on the speed of the machine.
func storedOutputs(cell object) []any {
	list := []any{}
	for _, o := range cell["outputs"].([]any) {
		output := o.(object)
		if data, ok := output["data"].(object); ok {
			page := joined(data["text/html"])
			if strings.Contains(page, progressBar) || progressEnd.MatchString(page) {
				continue
			}
			if clean := scriptElement.ReplaceAllString(page, ""); clean != page {
				data["text/html"] = lines(clean)
			}
			shows := false
			for _, v := range data {
				shows = shows || strings.TrimSpace(joined(v)) != ""
			}
			if !shows {
				continue
			}
		}
		if n := len(list); n > 0 && output["output_type"] == "stream" {
			if last := list[n-1].(object); last["output_type"] == "stream" && last["name"] == output["name"] {
				last["text"] = lines(joined(last["text"]) + joined(output["text"]))
				continue
			}
		}
		list = append(list, output)
	}
	return list
}

// fingerprint returns a hash of the code cells of a notebook, in their order.
func (n *notebook) fingerprint() string {
	h := sha256.New()
	for _, c := range n.Cells {
		if c.Type == "code" {
			fmt.Fprintf(h, "%d %s\n", len(c.Source), c.Source)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:32]
}

// Patterns that no stored output may match. measured is allowed in cells tagged times.
var (
	machine = []struct {
		pattern *regexp.Regexp
		what    string
	}{
		{regexp.MustCompile(`(?:^|[\s"'(=:,>\[])(?:file://)?/(?:home|root|tmp|Users|usr|opt|var|private|mnt|srv|etc|work|run)/[^\s"'<)\]]+`), "a path of a machine"},
		{regexp.MustCompile(`\b[A-Za-z]:\\[^\s"'<]+`), "a path of a machine"},
		{regexp.MustCompile(`\bgonb_[0-9a-f]{6,}`), "a folder of the kernel"},
		{regexp.MustCompile(`\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?\b`), "an address of a machine"},
		{regexp.MustCompile(`\b0x[0-9a-f]{8,}\b|0xc000[0-9a-f]+`), "an address of memory"},
		{regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b`), "a time of day"},
	}
	measured = regexp.MustCompile(`(?i)(?:^|[\s(=:≈~])\d+(?:[.,]\d+)?(?:e[-+]?\d+)?[ \t\x{a0}]?(?:ns|µs|μs|us|ms|s|secs?|seconds?|min|mins|minutes?|hours?)(?:[\s.,;:)/]|$)`)
	tags     = regexp.MustCompile(`(?s)<style\b.*?</style>|<[^>]*>`)
	embedded = regexp.MustCompile(`data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)`)
)

// stale returns complaints about the stored outputs of a notebook.
func (n *notebook) stale() (complaints []string) {
	say := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	const how = "run go test ./mklnb/lab/notebooktest -run TestOutputs -regen"
	switch n.Metadata.MKL.OutputsOf {
	case n.fingerprint():
	case "":
		say("the notebook has no outputs; %s", how)
		return complaints
	default:
		say("a cell was edited after the outputs were stored; %s", how)
	}
	for _, c := range n.code() {
		if c.Count == nil {
			say("code cell %d did not run", c.Number)
		}
		pictures := 0
		for _, o := range c.Outputs {
			if o.Name == "stderr" && !slices.Contains(c.Metadata.Tags, "raises-exception") {
				say("code cell %d contains output on stderr: %.100q", c.Number, o.Text)
			}
			page := o.form("text/html")
			if strings.Contains(page, "<script") || o.form("text/javascript")+o.form("application/javascript") != "" {
				say("code cell %d contains a script", c.Number)
			}
			if strings.Contains(page, progressBar) {
				say("code cell %d contains a progress bar", c.Number)
			}
			pictures += len(imageElement.FindAllString(page, -1))
			for kind, text := range o.texts() {
				for _, m := range machine {
					if found := m.pattern.FindString(text); found != "" {
						say("code cell %d contains %s in its %s: %q", c.Number, m.what, kind, strings.TrimSpace(found))
					}
				}
				if found := measured.FindString(text); found != "" && !slices.Contains(c.Metadata.Tags, "times") {
					say("code cell %d contains a measured time in its %s: %q; tag the cell times if it is "+
						"about times", c.Number, kind, strings.TrimSpace(found))
				}
			}
		}
		if expected := c.charts(); pictures < expected {
			say("code cell %d contains %d pictures of %d charts", c.Number, pictures, expected)
		}
	}
	slices.Sort(complaints)
	return slices.Compact(complaints)
}

// texts returns the visible texts of an output by kind, including those of its SVG pictures.
func (o output) texts() map[string]string {
	all := map[string]string{"stream": string(o.Text), "error": o.Value + "\n" + string(o.Traceback)}
	for kind := range o.Data {
		text := o.form(kind)
		if kind == "text/html" {
			for _, found := range embedded.FindAllStringSubmatch(text, -1) {
				if svg, err := base64.StdEncoding.DecodeString(found[1]); err == nil {
					all["picture"] += html.UnescapeString(tags.ReplaceAllString(string(svg), "\n")) + "\n"
				}
			}
			text = html.UnescapeString(tags.ReplaceAllString(text, " "))
		}
		if strings.HasPrefix(kind, "text/") {
			all[kind] = text
		}
	}
	return all
}

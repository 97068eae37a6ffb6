package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mklnb/mkl/mklnb/web/session"
	"github.com/mklnb/mkl/viz/render/rendertest"
)

// browser is a page of a browser, and the server that delivers it.
type browser struct {
	tab      context.Context
	requests atomic.Int64 // that the server got
	path     string
}

// openPage builds the page, serves it, and opens it.
func openPage(t *testing.T) *browser {
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	b := &browser{path: rendertest.BrowserPath(t)}
	folder := t.TempDir()
	if err := build(folder); err != nil {
		t.Fatal(err)
	}
	checkSize(t, folder)
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	profile, err := os.MkdirTemp("", "mkl-web")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) }) // the browser may still write while TempDir is removed
	options := append(append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...),
		chromedp.ExecPath(b.path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	tab, leave := chromedp.NewContext(allocator)
	t.Cleanup(func() { leave(); stop() })
	if err := chromedp.Run(tab); err != nil { // starts the browser
		t.Fatalf("start %s: %v", b.path, err)
	}
	b.tab = tab
	b.do(t, chromedp.Navigate(server.URL), chromedp.WaitEnabled("#example"))
	return b
}

// checkSize checks that the page has at most 5 MB, so that it loads in seconds.
func checkSize(t *testing.T, folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var bytes int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	if bytes < 1e6 || bytes > 5e6 {
		t.Errorf("the files of the page have %d bytes, expected 1 to 5 MB", bytes)
	}
}

// do runs actions in the page. It reports what the page shows if they do not end.
func (b *browser) do(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.tab, 5*time.Minute)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var text string
		_ = chromedp.Run(b.tab, chromedp.Evaluate(`document.body.innerText`, &text))
		t.Fatalf("%v; the page shows:\n%s", err, text)
	}
}

// poll waits until an expression in the page is true. Learning takes seconds, on a busy machine minutes.
func poll(expression string) chromedp.Action {
	return chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(4*time.Minute))
}

// evaluate returns the value of an expression in the page as JSON decodes it.
func evaluate[T any](t *testing.T, b *browser, expression string) (v T) {
	t.Helper()
	b.do(t, chromedp.Evaluate(expression, &v))
	return v
}

// visit is what a person does with files: the fields that the page asks for, in any order, and the values given.
type visit struct {
	name     string
	files    map[string]string // content of each file, by name
	choices  map[string]string // values of fields of the page, by name of the option; "kind" is what several files are
	newFiles map[string]string // files to predict
}

// visits are four files of different kinds.
func visits() []visit {
	random := rand.New(rand.NewPCG(1, 2))
	table := func(n int, header string, row func(i int) string) string {
		lines := []string{header}
		for i := range n {
			lines = append(lines, row(i))
		}
		return strings.Join(lines, "\n") + "\n"
	}
	colors := []string{"red", "green", "blue"}
	number := func() float64 { return math.Round(1000*random.NormFloat64()) / 1000 }
	price := func(i int) string {
		size, color := number(), colors[random.IntN(3)]
		cell := fmt.Sprint(size)
		if i%9 == 4 {
			cell = ""
		}
		return fmt.Sprintf("%s,%s,%v,%.3f", cell, color, number(), 3*size+float64(len(color))+0.1*number())
	}
	person := func(i int) string {
		c := i / 3 % 3
		return fmt.Sprintf("p%02d,%v,%v,%s", i/3, float64(c)+0.5*number(), number(), []string{"low", "mid", "high"}[c])
	}
	german := func(i int) string {
		x := number()
		return fmt.Sprintf("%02d.%02d.2024;%s;%s", 1+i%28, 1+i%12, strings.Replace(fmt.Sprint(x), ".", ",", 1),
			strings.Replace(fmt.Sprintf("%.3f", x*x+0.1*number()), ".", ",", 1))
	}
	const n, newCount = 45, 6
	var points [n + newCount][2]float64
	for i := range points {
		points[i] = [2]float64{number(), number()}
	}
	gram := func(from, to int, k func(x, z [2]float64) float64) string {
		return table(to-from, "", func(i int) string {
			cells := make([]string, n)
			for j := range cells {
				cells[j] = strconv.FormatFloat(k(points[from+i], points[j]), 'g', -1, 64)
			}
			return strings.Join(cells, ",")
		})[1:]
	}
	linear := func(x, z [2]float64) float64 { return x[0]*z[0] + x[1]*z[1] }
	narrow := func(x, z [2]float64) float64 { return math.Exp(-math.Hypot(x[0]-z[0], x[1]-z[1])) }
	label := func(i int) string {
		return map[bool]string{true: "in", false: "out"}[math.Hypot(points[i][0], points[i][1]) < 1.1]
	}
	return []visit{
		{"regression", map[string]string{"prices.csv": table(60, "size,color,age,price", price)},
			map[string]string{"Missing": "Fill", "Regression": "true"},
			map[string]string{"new.csv": table(7, "size,color,age,price", price)}},
		{"classes", map[string]string{"people.csv": table(72, "person,height,noise,grade", person)},
			map[string]string{"Group": "person"},
			map[string]string{"new.csv": table(5, "person,height,noise,grade", person)}},
		{"ambiguous", map[string]string{"messung.csv": table(60, "tag;x;y", german)},
			map[string]string{"Decimal": ",", "Dates": "tag=02.01.2006", "Regression": "true"},
			map[string]string{"new.csv": table(5, "tag;x;y", german)}},
		{"matrices", map[string]string{"k1.csv": gram(0, n, linear), "k2.csv": gram(0, n, narrow),
			"labels.csv": table(n, "", label)[1:]},
			map[string]string{"kind": "grams"},
			map[string]string{"n1.csv": gram(n, n+newCount, linear), "n2.csv": gram(n, n+newCount, narrow)}},
	}
}

// TestPage opens the page in a browser and goes from files to downloaded predictions, which must be those of the native
// program. After the page was loaded, the server gets no request.
func TestPage(t *testing.T) {
	b := openPage(t)
	loaded := b.requests.Load()
	for _, v := range visits() {
		t.Run(v.name, func(t *testing.T) {
			folder := t.TempDir()
			b.do(t, chromedp.SetUploadFiles("#files", writeFiles(t, folder, v.files)),
				poll(`!waiting.size && (opened || !$("open-error").hidden)`))
			for tries := 0; !evaluate[bool](t, b, `!waiting.size && !!opened && `+allGiven(v.choices)); tries++ {
				if tries == 6 {
					t.Fatalf("the page shows after six tries: %s", evaluate[string](t, b, `$("open-error").textContent`))
				}
				choose(t, b, v.choices)
			}
			b.do(t, chromedp.Click("#learn"), chromedp.WaitVisible("#stop"), chromedp.WaitNotVisible("#stop"))
			if message := evaluate[string](t, b, `$("learn-error").textContent`); message != "" {
				t.Fatal(message)
			}
			b.do(t, chromedp.Evaluate(`window.download=(name,bytes)=>{window.saved=new TextDecoder().decode(bytes)}`, nil),
				chromedp.SetUploadFiles("#new-files", writeFiles(t, folder, v.newFiles)), chromedp.Click("#download"))
			got := evaluate[string](t, b, `saved`)
			compareTables(t, got, native(t, folder, evaluate[session.Request](t, b, `request()`), v.newFiles))
		})
	}
	if sent := b.requests.Load() - loaded; sent != 0 {
		t.Errorf("the page sent %d requests after it was loaded", sent)
	}
	b.do(t, chromedp.Evaluate(`fetch(location.href).then(()=>{window.fetched=true},()=>{window.fetched=false})`, nil),
		poll(`window.fetched!==undefined`))
	if evaluate[bool](t, b, `fetched`) {
		t.Error("the security policy permits a request")
	}
}

// allGiven returns a condition in JavaScript: each field has its value.
func allGiven(choices map[string]string) string {
	text, _ := json.Marshal(choices)
	return fmt.Sprintf(`Object.entries(%s).every(([k,v])=>{const f=$("f-"+k);
return k==="kind"||f&&(f.type==="checkbox"?f.checked:f.value===v)})`, text)
}

// choose sets the fields that the page shows to their values, and has the page read again.
func choose(t *testing.T, b *browser, choices map[string]string) {
	text, _ := json.Marshal(choices)
	b.do(t, chromedp.Evaluate(fmt.Sprintf(`(async()=>{for(const [k,v] of Object.entries(%s)){
const f=$("f-"+k);if(f){f.value=v;f.checked=true}}
await open();while(waiting.size)await new Promise(r=>setTimeout(r,20))})()`, text), nil,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}

// writeFiles writes files to a folder and returns their paths in alphabetical order.
func writeFiles(t *testing.T, folder string, files map[string]string) (paths []string) {
	for name, content := range files {
		paths = append(paths, filepath.Join(folder, name))
		if err := os.WriteFile(paths[len(paths)-1], []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(paths)
	return paths
}

// native returns the predictions of the program on this machine for the request of the page.
func native(t *testing.T, folder string, r session.Request, newFiles map[string]string) string {
	s := session.New(func(session.Answer) {}, func() {})
	inFolder := func(names []string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(folder, filepath.Base(name)))
		}
		return paths
	}
	call := func(method string, r session.Request) (a session.Answer) {
		arguments, _ := json.Marshal(r)
		if err := json.Unmarshal([]byte(s.Call(method, string(arguments))), &a); err != nil || a.Error != "" {
			t.Fatal(method, err, a.Error)
		}
		return a
	}
	r.Files = inFolder(r.Files)
	if r.Options.LabelFile != "" {
		r.Options.LabelFile = inFolder([]string{r.Options.LabelFile})[0]
	}
	call("open", r)
	call("learn", session.Request{})
	file := call("predict", session.Request{Files: writeFiles(t, folder, newFiles)}).File
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compareTables compares two tables: the same words, and numbers that differ by at most 1e-7, because processors differ
// in the last digits, and the solver then stops at other weights within its relative gap of 1e-6.
func compareTables(t *testing.T, got, want string) {
	a, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	b, err := csv.NewReader(strings.NewReader(want)).ReadAll()
	if err != nil || len(a) != len(b) || len(a) < 5 {
		t.Fatalf("%v; the page:\n%s\nnative:\n%s", err, got, want)
	}
	for i := range a {
		for j := range a[i] {
			x, errX := strconv.ParseFloat(a[i][j], 64)
			y, errY := strconv.ParseFloat(b[i][j], 64)
			isEqual := a[i][j] == b[i][j] || errX == nil && errY == nil && math.Abs(x-y) <= 1e-7*max(1, math.Abs(y))
			if !isEqual {
				t.Errorf("row %d, column %s: the page has %s, the native program %s", i, a[0][j], a[i][j], b[i][j])
			}
		}
	}
}

// TestStop: a click on Stop in the middle of the comparison leaves the model. A second click ends the program, and the
// page can learn again.
func TestStop(t *testing.T) {
	b := openPage(t)
	b.do(t, chromedp.Evaluate(`$("example").value="sonar";$("example").onchange({target:$("example")})`, nil),
		chromedp.WaitVisible("#learn"), chromedp.Click("#learn"), chromedp.WaitVisible("#use-section"),
		chromedp.Click("#stop"), chromedp.WaitNotVisible("#stop"))
	text := evaluate[string](t, b, `$("learn-error").textContent+$("result").innerText`)
	if !strings.Contains(text, "stopped") || !evaluate[bool](t, b, `!$("use-section").hidden`) {
		t.Errorf("after one click the page shows %s", text)
	}
	b.do(t, chromedp.Click("#learn"), chromedp.WaitVisible("#use-section"), chromedp.Evaluate(`$("stop").click()`, nil),
		chromedp.Evaluate(`$("stop").click()`, nil), chromedp.WaitNotVisible("#stop"),
		poll(`!waiting.size && opened`))
	if !evaluate[bool](t, b, `$("learn-error").textContent!=="" && $("result").innerText==="" && $("use-section").hidden`) {
		t.Error("after two clicks the page shows a result, or no message")
	}
	b.do(t, chromedp.Click("#learn"), chromedp.WaitVisible("#use-section"))
}

// TestChangedData: work with data ends if other data are chosen, and nothing of it is shown with these. A file that
// cannot be read is an error.
func TestChangedData(t *testing.T) {
	b := openPage(t)
	folder := t.TempDir()
	first := "x,y\n"
	for i := range 400 {
		first += fmt.Sprintf("%d.5,%d\n", i*i%97, i%2)
	}
	paths := writeFiles(t, folder, map[string]string{"a.csv": first, "b.csv": strings.ReplaceAll(first, "x", "z")})
	const idle = `!waiting.size && $("preview").textContent !== "reading …"`
	b.do(t, chromedp.SetUploadFiles("#files", paths[:1]), chromedp.WaitVisible("#learn"), chromedp.Click("#learn"),
		poll(`$("result").textContent !== ""`), chromedp.SetUploadFiles("#files", paths[1:]),
		poll(idle), chromedp.WaitVisible("#learn"), chromedp.Sleep(time.Second))
	if got := evaluate[string](t, b, `$("result").textContent+$("learn-error").textContent`); got != "" ||
		!evaluate[bool](t, b, `$("use-section").hidden && $("stop").hidden && !$("learn").disabled`) {
		t.Errorf("with b.csv, the page shows: %s", got)
	}
	b.do(t, chromedp.SetUploadFiles("#new-files", paths[:1]), poll(`!$("use-error").hidden`))
	if got := evaluate[string](t, b, `$("use-error").textContent`); got != "learn a model first" {
		t.Errorf("the model of a.csv is used for b.csv: %s", got)
	}
	b.do(t, chromedp.Evaluate(`files[0].arrayBuffer = () => Promise.reject(new Error("changed")); open()`, nil),
		poll(idle), chromedp.WaitVisible("#open-error"))
	if got := evaluate[string](t, b, `$("open-error").textContent`); !strings.Contains(got, "b.csv cannot be read") {
		t.Errorf("a file that was changed: %s", got)
	}
	b.do(t, chromedp.SetUploadFiles("#files", paths[1:]), chromedp.WaitVisible("#learn"),
		chromedp.Evaluate(`asked = [{ name: "Header", kind: "string" }]; $("f-Label").value = "z"; $("f-Regression").value = "true"; $("settings").onchange()`, nil),
		poll(idle))
	if got := evaluate[string](t, b, `opened?.target`); got != "z" {
		t.Errorf("after z was chosen, the target is %q", got)
	}
	b.do(t, chromedp.Evaluate(`take([{ name: "large.csv", size: 60e6 }])`, nil), chromedp.WaitVisible("#open-error"))
	if !evaluate[bool](t, b, `$("learn-section").hidden && $("preview").textContent === ""`) {
		t.Error("a file that is too large leaves the data before it")
	}
}

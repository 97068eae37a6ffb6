// Web builds the page that learns kernels in a browser, and serves it or writes it to a folder.
//
//	go run ./mklnb/web              build the page, serve it on this machine
//	go run ./mklnb/web -out DIR     write the page to DIR, for any web server
//
// The page is a program for WebAssembly (folder app) in a web worker. After loading, it sends no request.
//
// The page has 4.71 MB: 4.68 MB are the program, compressed, and 36 kB the rest. The program leaves out (leaveOut) two
// data sets (1.1 MB compressed), ten fonts (1.9 MB) and the writers of PDF, EPS and TeX. A page has one thread and no
// vector instructions. With 8 columns, Learn of 200, 1,000 and 2,000 rows took Chromium 12, 165 and 226 s of processor
// time, and 1.9, 43 and 67 s natively, in pure Go on one thread.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed page
var pageFiles embed.FS

func main() {
	folder := flag.String("out", "", "write the page to this `folder` and exit")
	address := flag.String("http", "127.0.0.1:8080", "serve the page at this `address`")
	flag.Parse()
	log.SetFlags(0)
	isServed := *folder == ""
	if isServed {
		*folder = filepath.Join(os.TempDir(), "mkl-web")
	}
	if err := build(*folder); err != nil {
		log.Fatal("web: ", err)
	}
	if isServed {
		log.Printf("open http://%s (Ctrl-C ends)", *address)
		err := http.ListenAndServe(*address, http.FileServer(http.Dir(*folder)))
		log.Fatal(err, "; choose another address with -http")
	}
}

// build writes the files of the page to a folder and replaces those that are there.
func build(folder string) error {
	work, err := os.MkdirTemp("", "mkl-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	names, err := fs.Glob(pageFiles, "page/*")
	for _, name := range names {
		err = errors.Join(err, rewrite(pageFiles, name, filepath.Join(folder, filepath.Base(name)), nil))
	}
	root, rootErr := goOutput("env", "GOROOT")
	leftOut, leaveErr := leaveOut(work)
	if err := errors.Join(err, rootErr, leaveErr); err != nil {
		return err
	}
	// The page unpacks the program itself, so any web server will do.
	_, err = goOutput(append(leftOut, "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(work, "app.wasm"),
		"github.com/mklnb/mkl/mklnb/web/app")...)
	return errors.Join(err,
		rewrite(os.DirFS(root), "lib/wasm/wasm_exec.js", filepath.Join(folder, "wasm_exec.js"), nil),
		rewrite(os.DirFS(work), "app.wasm", filepath.Join(folder, "app.wasm.gz"), compress))
}

// otherFont matches the packages of fonts that the page does not draw.
var otherFont = regexp.MustCompile(`liberation(mono\w+|serif\w+|sans\w*italic)`)

// leaveOut returns a command go build that leaves out of the program what the page does not need: two large data sets,
// and, in a copy of gonum/plot, ten of its twelve fonts and its writers of PDF, EPS and TeX. It writes to a folder.
func leaveOut(folder string) (command []string, err error) {
	paths, err := goOutput("list", "-f", "{{.Dir}}", "gonum.org/v1/plot", "github.com/mklnb/mkl/algos")
	if err != nil {
		return nil, err
	}
	installed, checkout, _ := strings.Cut(paths, "\n")
	checkout = filepath.Dir(checkout)
	in := func(names ...string) string { return filepath.Join(append([]string{folder}, names...)...) }
	files := filepath.Join(checkout, "data", "datasets", "files")
	withOneFont := func(text string) string {
		text = regexp.MustCompile(`\n\t"[^"]*/`+otherFont.String()+`"`).ReplaceAllString(text, "")
		return otherFont.ReplaceAllString(text, "liberationsansregular")
	}
	withCopy := func(text string) string { return text + "\nreplace gonum.org/v1/plot => " + in("plot") + "\n" }
	return []string{"build", "-overlay=" + in("overlay.json"), "-modfile=" + in("go.mod")}, errors.Join(
		os.CopyFS(in("plot"), os.DirFS(installed)), os.Remove(in("plot", "vgall.go")),
		rewrite(os.DirFS(installed), "font/liberation/liberation.go", in("plot", "font", "liberation", "liberation.go"),
			withOneFont),
		os.WriteFile(in("empty"), nil, 0o666),
		os.WriteFile(in("overlay.json"), fmt.Appendf(nil, `{"Replace": {%q: %q, %q: %q}}`, filepath.Join(files,
			"finefoods.csv.gz"), in("empty"), filepath.Join(files, "proteins.csv.gz"), in("empty")), 0o666),
		rewrite(os.DirFS(checkout), "go.sum", in("go.sum"), nil),
		rewrite(os.DirFS(checkout), "go.mod", in("go.mod"), withCopy))
}

// rewrite writes a file, changed by a function, to a path.
func rewrite(from fs.FS, name, to string, change func(string) string) error {
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	if change != nil {
		text = []byte(change(string(text)))
	}
	return os.WriteFile(to, text, 0o666)
}

func compress(content string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level exists, and a buffer takes all
	z.Write([]byte(content))
	z.Close()
	return b.String()
}

// goOutput runs the go command for WebAssembly and returns what it prints.
func goOutput(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}

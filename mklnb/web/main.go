// Web builds the page that learns kernels in a browser, and serves it or writes it to a folder.
//
//	go run ./mklnb/web              build the page, serve it on this machine
//	go run ./mklnb/web -out DIR     write the page to DIR, for any web server
//
// The page is a program for WebAssembly (package app) in a web worker. After loading, it sends no request.
package main

import (
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed page
var pageFiles embed.FS

func main() {
	out := flag.String("out", "", "write the page to this `folder` and exit")
	address := flag.String("http", "127.0.0.1:8080", "serve the page at this `address`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *address); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// run builds the page. It serves the page until ctx ends if folder is "".
func run(ctx context.Context, folder, address string) error {
	if folder != "" {
		return build(ctx, folder)
	}
	folder, err := os.MkdirTemp("", "mkl-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Println("building the page …")
	if err := build(ctx, folder); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -http", err)
	}
	fmt.Printf("open http://%s (Ctrl-C ends)\n", listener.Addr())
	server := &http.Server{Handler: http.FileServer(http.Dir(folder))}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// build writes the files of the page to a folder.
func build(ctx context.Context, folder string) error {
	page, err := fs.Sub(pageFiles, "page")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mkl-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := fs.WalkDir(page, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return copyTo(filepath.Join(folder, name), page, name)
	}); err != nil {
		return err
	}
	root, err := goOutput(ctx, "env", "GOROOT")
	if err != nil {
		return err
	}
	if err := copyTo(filepath.Join(folder, "wasm_exec.js"), os.DirFS(root), "lib/wasm/wasm_exec.js"); err != nil {
		return err
	}
	leftOut, err := leaveOut(ctx, work)
	if err != nil {
		return err
	}
	program := filepath.Join(work, "app.wasm")
	arguments := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", program}, leftOut...)
	if _, err := goOutput(ctx, append(arguments, "github.com/mklnb/mkl/mklnb/web/app")...); err != nil {
		return err
	}
	return compress(program, filepath.Join(folder, "app.wasm.gz"))
}

// otherFont matches the packages of fonts that the page does not draw.
var otherFont = regexp.MustCompile(`liberation(mono\w+|serif\w+|sans\w*italic)`)

// leaveOut returns arguments of go build that leave out of the program what the page does not need: two large data sets,
// and, in a copy of gonum/plot, ten of its twelve fonts and its writers of PDF, EPS and TeX. It writes to a folder.
func leaveOut(ctx context.Context, folder string) (arguments []string, err error) {
	paths, err := goOutput(ctx, "list", "-f", "{{.Dir}}", "gonum.org/v1/plot", "github.com/mklnb/mkl/algos")
	if err != nil {
		return nil, err
	}
	installed, checkout, _ := strings.Cut(paths, "\n")
	checkout = filepath.Dir(checkout)
	plot, modfile, overlay := filepath.Join(folder, "plot"), filepath.Join(folder, "go.mod"), filepath.Join(folder, "overlay.json")
	files, empty := filepath.Join(checkout, "data", "datasets", "files"), filepath.Join(folder, "empty")
	fonts := filepath.Join(plot, "font", "liberation", "liberation.go")
	if err := errors.Join(os.CopyFS(plot, os.DirFS(installed)), os.Remove(filepath.Join(plot, "vgall.go")),
		rewrite(fonts, fonts, func(text string) string {
			text = regexp.MustCompile(`\n\t"[^"]*/`+otherFont.String()+`"`).ReplaceAllString(text, "")
			return otherFont.ReplaceAllString(text, "liberationsansregular")
		}),
		os.WriteFile(empty, nil, 0o666),
		os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q, %q: %q}}`, filepath.Join(files, "finefoods.csv.gz"), empty,
			filepath.Join(files, "proteins.csv.gz"), empty), 0o666),
		rewrite(filepath.Join(checkout, "go.sum"), filepath.Join(folder, "go.sum"), nil),
		rewrite(filepath.Join(checkout, "go.mod"), modfile, func(text string) string {
			return text + "\nreplace gonum.org/v1/plot => " + plot + "\n"
		})); err != nil {
		return nil, err
	}
	return []string{"-overlay=" + overlay, "-modfile=" + modfile}, nil
}

// rewrite writes the text of a file, changed by a function, to another file.
func rewrite(from, to string, change func(string) string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if change != nil {
		text = []byte(change(string(text)))
	}
	return os.WriteFile(to, text, 0o666)
}

// goOutput runs the go command for WebAssembly and returns what it prints.
func goOutput(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func copyTo(target string, from fs.FS, name string) error {
	content, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	return os.WriteFile(target, content, 0o666)
}

// compress writes a file with gzip. The page unpacks it itself, so any web server will do.
func compress(source, target string) error {
	content, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	f, err := os.Create(target)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(content); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

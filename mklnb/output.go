package mklnb

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
)

// output is the place where pages are shown: a notebook, or a terminal with a folder for pictures.
type output interface {
	show(page) error
	// update shows a page as the output with this id, and replaces its earlier content.
	update(id string, p page) error
}

// display returns the place where this program shows pages: the notebook or the terminal. Tests replace it.
var display = sync.OnceValue(func() output {
	if gonb.InNotebook() {
		return notebook{}
	}
	return &terminal{out: stdout{}, folder: pictureFolder()}
})

// notebook shows pages below the cell.
type notebook struct{}

func (notebook) show(p page) error { return printIfNotShown(p, gonb.Display(p.bundle())) }

func (notebook) update(id string, p page) error {
	return printIfNotShown(p, gonb.Update(id, p.bundle()))
}

// printIfNotShown prints the text of p if showErr is not nil, so that nothing is lost if the notebook cannot be
// reached. It returns showErr.
func printIfNotShown(p page, showErr error) error {
	if showErr != nil {
		fmt.Println(strings.TrimRight(p.text, "\n"))
	}
	return showErr
}

// bundle returns p in the formats that a notebook displays: HTML, plain text, and the first picture as PNG.
func (p page) bundle() gonb.Bundle {
	pageHTML := p.html
	if strings.Contains(pageHTML, "$") || strings.Contains(pageHTML,
		`\`) { // JupyterLab would read $3 to $5 as a formula
		pageHTML = `<div class="mathjax_ignore">` + pageHTML + `</div>`
	}
	b := gonb.Bundle{gonb.HTML: pageHTML, gonb.Plain: strings.TrimRight(p.text, "\n")}
	for _, f := range p.pictures {
		if len(f.PNG) > 0 {
			b[gonb.PNG] = f.PNG
			break
		}
	}
	return b
}

// terminal prints the pages of a program that runs outside a notebook.
type terminal struct {
	mu           sync.Mutex
	out          io.Writer
	folder       string
	pictureCount int // number of pictures written
}

// stdout writes to os.Stdout as it is at the time of writing.
type stdout struct{}

func (stdout) Write(b []byte) (int, error) { return os.Stdout.Write(b) }

// pictureFolder returns the folder in which a program outside a notebook writes pictures.
func pictureFolder() string {
	if outFolder := os.Getenv("MKL_OUT"); outFolder != "" {
		return outFolder
	}
	return "mkl-out"
}

// padding matches runs of at least 80 spaces. They fill a short table cell up to the width of a long one, and would
// fill whole lines of a terminal.
var padding = regexp.MustCompile(" {80,}")

func (t *terminal) show(p page) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := fmt.Fprintln(t.out, strings.TrimRight(padding.ReplaceAllString(p.text, "  "), "\n")); err != nil {
		return err
	}
	for _, f := range p.pictures {
		t.pictureCount++
		if err := t.writePicture(f); err != nil {
			return fmt.Errorf("mklnb: write a figure: %w; set MKL_OUT to a folder that can be written", err)
		}
	}
	return nil
}

// update shows nothing, because the lines of a terminal are not replaced.
func (t *terminal) update(id string, p page) error { return nil }

// writePicture writes f as SVG and PNG, as far as f has these forms, and prints the names of the files.
func (t *terminal) writePicture(f picture) error {
	if err := os.MkdirAll(t.folder, 0o755); err != nil {
		return err
	}
	pathWithoutExt := filepath.Join(t.folder, fmt.Sprintf("%02d-%s", t.pictureCount, slug(f.title)))
	var names []string
	for _, file := range []struct {
		extension string
		content   []byte
	}{{".svg", []byte(f.SVG)}, {".png", f.PNG}} {
		if len(file.content) == 0 {
			continue
		}
		if err := os.WriteFile(pathWithoutExt+file.extension, file.content, 0o644); err != nil {
			return err
		}
		names = append(names, pathWithoutExt+file.extension)
	}
	_, err := fmt.Fprintln(t.out, "wrote "+strings.Join(names, ", "))
	return err
}

// notInSlug matches the characters that slug replaces.
var notInSlug = regexp.MustCompile("[^a-z0-9]+")

// slug returns a file name for a title: lowercase ASCII letters, digits and hyphens, at most 40 of them.
func slug(title string) string {
	s := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(title), "-"), "-")
	return cmp.Or(strings.TrimRight(s[:min(len(s), 40)], "-"), "figure")
}

// showPage shows p, and ends the program if p cannot be shown.
func showPage(p page) { endIfNotShown(display().show(p)) }

// endIfNotShown prints the error of an output and ends the program, because the output would be lost.
func endIfNotShown(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, oneLine(err))
		exit(1)
	}
}

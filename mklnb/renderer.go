package mklnb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz"
)

// painter draws figures by the renderer, a program of its own that reads a viz.Figure and writes a
// viz.Picture. It starts in a few milliseconds, so every figure has its own process, and as many run
// at a time as there are processors.
type painter struct {
	find func(ctx context.Context, say func(string)) (string, error)
	once sync.Once
	path string
	err  error // why there is no renderer
}

// drawing is the painter of this program; tests set it.
var drawing = &painter{find: setup.Renderer}

// program is the path of the renderer. Where it has to be built, which may take half a minute, the
// notebook is told, and the stop button ends it.
func (p *painter) program() (string, error) {
	p.once.Do(func() {
		ctx, release := interrupt.hold()
		defer release()
		id := ""
		p.path, p.err = p.find(ctx, func(text string) {
			if id == "" {
				id = gonb.NewID()
			}
			_ = display().update(id, note(text)) // not shown: the figure will say what is wrong
		})
		if id != "" {
			_ = display().update(id, page{})
		}
	})
	return p.path, p.err
}

// draw returns a picture of each figure, with an error where it could not be drawn.
func (p *painter) draw(figures []viz.Figure) []viz.Picture {
	pictures := make([]viz.Picture, len(figures))
	if len(figures) == 0 {
		return pictures
	}
	path, err := p.program()
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, f := range figures {
		if err != nil {
			pictures[i].Error = line(err)
			continue
		}
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			pic, err := ask(path, f)
			if err != nil {
				pic.Error = "the renderer: " + line(err)
			}
			pictures[i] = pic
		})
	}
	all.Wait()
	return pictures
}

// ask asks the renderer at path for the picture of f. Its stderr is not that of the cell: a kernel waits until
// nobody holds that any more.
func ask(path string, f viz.Figure) (pic viz.Picture, err error) {
	request, err := json.Marshal(f)
	if err != nil {
		return pic, err
	}
	var out, said bytes.Buffer
	cmd := exec.Command(path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), &out, &said
	ownGroup(cmd)
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(said.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text[max(0, len(text)-300):])
		}
		return pic, err
	}
	if err := json.Unmarshal(out.Bytes(), &pic); err != nil {
		return pic, fmt.Errorf("its reply: %w", err)
	}
	switch {
	case pic.Error != "":
		return viz.Picture{}, errors.New(pic.Error)
	case pic.SVG == "":
		return viz.Picture{}, errors.New("its picture is empty")
	}
	return pic, nil
}

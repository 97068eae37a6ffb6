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

// painter draws figures with the renderer, a separate program that reads a viz.Figure and writes a viz.Picture. The
// renderer starts in a few milliseconds, so each figure has its own process. At most as many of them run at a time as
// there are processors.
type painter struct {
	find func(ctx context.Context, say func(string)) (string, error)
	once sync.Once
	path string
	err  error // the reason why the renderer cannot be found
}

// drawing is the painter of this program. Tests replace it.
var drawing = &painter{find: setup.Renderer}

// program returns the path of the renderer. If the renderer must be built, which may take half a minute, the notebook
// shows a note, and the stop button ends the build.
func (p *painter) program() (string, error) {
	p.once.Do(func() {
		ctx, release := interrupt.hold()
		defer release()
		id := ""
		p.path, p.err = p.find(ctx, func(text string) {
			if id == "" {
				id = gonb.NewID()
			}
			_ = display().update(id, note(text)) // if this fails, the figure will show the error
		})
		if id != "" {
			_ = display().update(id, page{})
		}
	})
	return p.path, p.err
}

// draw returns a picture for each figure. A picture has an error if the figure could not be drawn.
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

// ask asks the renderer at path for the picture of f. It does not pass on the stderr of the cell, because the kernel
// waits until no process holds that open.
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

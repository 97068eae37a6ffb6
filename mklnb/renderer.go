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
// renderer starts in a few milliseconds, so each figure has its own process. At most GOMAXPROCS of these processes run
// at a time.
type painter struct {
	findRenderer func(ctx context.Context, logLine func(string)) (string, error)
	findOnce     sync.Once
	foundPath    string
	findErr      error // the reason why the renderer cannot be found
}

// figurePainter draws the figures of this program. Tests replace it.
var figurePainter = &painter{findRenderer: setup.EnsureRenderer}

// rendererPath returns the path of the renderer. If the renderer must be built, which may take half a minute, the
// notebook shows a note, and the stop button ends the build.
func (p *painter) rendererPath() (string, error) {
	p.findOnce.Do(func() {
		ctx, endWork := interrupt.beginWork()
		defer endWork()
		id := ""
		p.foundPath, p.findErr = p.findRenderer(ctx, func(text string) {
			if id == "" {
				id = gonb.NewID()
			}
			_ = display().update(id, notePage(text)) // an error is ignored: the output of the figure will report it
		})
		if id != "" {
			_ = display().update(id, page{})
		}
	})
	return p.foundPath, p.findErr
}

// draw returns a picture for each figure. A picture has an error if the figure could not be drawn.
func (p *painter) draw(figures []viz.Figure) []viz.Picture {
	pictures := make([]viz.Picture, len(figures))
	if len(figures) == 0 {
		return pictures
	}
	path, err := p.rendererPath()
	freeSlots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var drawers sync.WaitGroup
	for i, f := range figures {
		if err != nil {
			pictures[i].Error = oneLine(err)
			continue
		}
		drawers.Go(func() {
			freeSlots <- struct{}{}
			defer func() { <-freeSlots }()
			pic, err := runRenderer(path, f)
			if err != nil {
				pic.Error = "the renderer: " + oneLine(err)
			}
			pictures[i] = pic
		})
	}
	drawers.Wait()
	return pictures
}

// runRenderer runs the renderer at path and returns the picture of f. The renderer does not inherit the stderr of the
// cell, because the Jupyter kernel waits until every process has closed it.
func runRenderer(path string, f viz.Figure) (pic viz.Picture, err error) {
	request, err := json.Marshal(f)
	if err != nil {
		return pic, err
	}
	var out, stderr bytes.Buffer
	cmd := exec.Command(path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), &out, &stderr
	setOwnProcessGroup(cmd)
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text[max(0, len(text)-300):])
		}
		return pic, err
	}
	if err := json.Unmarshal(out.Bytes(), &pic); err != nil {
		return pic, fmt.Errorf("the reply of the renderer is not JSON: %w", err)
	}
	switch {
	case pic.Error != "":
		return viz.Picture{}, errors.New(pic.Error)
	case pic.SVG == "":
		return viz.Picture{}, errors.New("the reply of the renderer contains no picture")
	}
	return pic, nil
}

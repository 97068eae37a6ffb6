package mklnb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz"
)

// painter draws figures by the renderer, a program of its own that reads a viz.Request and writes a
// viz.Reply. It starts in a few milliseconds, so every figure has its own process, and as many run
// at a time as there are processors.
type painter struct {
	find func(ctx context.Context, say func(string)) (string, error)
	once sync.Once
	path string
	err  error // why there is none
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

// draw returns a picture of each figure, or in its place why that one could not be drawn. Where there
// is no renderer the error says why.
func (p *painter) draw(figures []viz.Figure) ([]viz.Picture, error) {
	path, err := p.program()
	if err != nil {
		return nil, err
	}
	pictures := make([]viz.Picture, len(figures))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, f := range figures {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			pic, err := drawOne(path, f)
			if err != nil {
				pic = viz.Picture{Error: err.Error()}
			}
			pictures[i] = pic
		})
	}
	all.Wait()
	return pictures, nil
}

// drawOne runs the renderer on one figure. Its stderr is not ours: a kernel waits until nobody holds
// that any more.
func drawOne(path string, f viz.Figure) (viz.Picture, error) {
	request, err := json.Marshal(viz.Request{Figures: []viz.Figure{f}, Want: []viz.Form{viz.FormSVG, viz.FormPNG, viz.FormOption}})
	if err != nil {
		return viz.Picture{}, err
	}
	var out, said bytes.Buffer
	cmd := exec.Command(path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(request), &out, &said
	apart(cmd)
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(said.String())
		return viz.Picture{}, fmt.Errorf("%w: %s", err, text[max(0, len(text)-300):])
	}
	var reply viz.Reply
	if err := json.Unmarshal(out.Bytes(), &reply); err != nil {
		return viz.Picture{}, fmt.Errorf("its reply: %w", err)
	}
	if n := len(reply.Pictures); n != 1 {
		return viz.Picture{}, fmt.Errorf("its reply holds %d pictures, want 1", n)
	}
	return reply.Pictures[0], nil
}

package mklnb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	err  error // why there is none

	early sync.Once
	spare chan *process // the one started by prepare, or nothing
}

// drawing is the painter of this program; tests set it.
var drawing = &painter{find: setup.Renderer}

// prepare looks for the renderer and starts it while the program computes what there is to draw:
// 10 ms that nobody waits for. It builds nothing. A renderer that is not asked anything ends with
// this program, whose end closes its standard input.
func (p *painter) prepare() {
	if !gonb.Notebook() {
		return
	}
	p.early.Do(func() {
		p.spare = make(chan *process, 1)
		go func() {
			defer close(p.spare)
			path, ok := setup.BuiltRenderer()
			if !ok {
				return
			}
			if r, err := start(path); err == nil {
				p.spare <- r
			}
		}()
	})
}

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
	var prepared *process
	p.early.Do(func() {}) // from now on it is too late
	if p.spare != nil {
		if prepared = <-p.spare; prepared != nil {
			p.once.Do(func() { p.path = prepared.cmd.Path }) // found once is enough
		}
	}
	if _, err := p.program(); err != nil {
		return nil, err
	}
	pictures := make([]viz.Picture, len(figures))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, f := range figures {
		r := prepared
		prepared = nil
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			pic, err := p.drawOne(r, f)
			if err != nil {
				pic = viz.Picture{Error: err.Error()}
			}
			pictures[i] = pic
		})
	}
	all.Wait()
	return pictures, nil
}

// drawOne draws f by r, or by a renderer of its own where r is nil.
func (p *painter) drawOne(r *process, f viz.Figure) (viz.Picture, error) {
	if r == nil {
		var err error
		if r, err = start(p.path); err != nil {
			return viz.Picture{}, err
		}
	}
	return r.draw(f)
}

// process is a renderer at work.
type process struct {
	cmd       *exec.Cmd
	in        io.WriteCloser
	out, said bytes.Buffer
}

// start starts the renderer at path. Its stderr is not ours: a kernel waits until nobody holds that
// any more.
func start(path string) (*process, error) {
	r := &process{cmd: exec.Command(path)}
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.said
	ownGroup(r.cmd)
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return r, r.cmd.Start()
}

// draw asks for the picture of f, and ends the process.
func (r *process) draw(f viz.Figure) (viz.Picture, error) {
	request, err := json.Marshal(f)
	if err == nil {
		_, err = r.in.Write(request)
	}
	_ = r.in.Close()
	if ended := r.cmd.Wait(); ended != nil {
		text := strings.TrimSpace(r.said.String())
		return viz.Picture{}, fmt.Errorf("%w: %s", ended, text[max(0, len(text)-300):])
	}
	if err != nil {
		return viz.Picture{}, err
	}
	var pic viz.Picture
	if err := json.Unmarshal(r.out.Bytes(), &pic); err != nil {
		return viz.Picture{}, fmt.Errorf("its reply: %w", err)
	}
	return pic, nil
}

package mklnb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/mklnb/mkl/mklnb/internal/gonb"
	"github.com/mklnb/mkl/mklnb/setup"
	"github.com/mklnb/mkl/viz"
)

// painter is the renderer's process: it reads viz.Requests and writes viz.Replies, in JSON, until
// its input ends, as it does with this program however that ends.
type painter struct {
	mu    sync.Mutex
	path  func(ctx context.Context, say func(string)) (string, error)
	in    io.WriteCloser
	out   *json.Decoder
	cmd   *exec.Cmd
	noise bytes.Buffer // its stderr
	err   error        // why there is none: asked for once
}

// drawing is the painter of this program; tests set it.
var drawing = &painter{path: setup.Renderer}

// forms is what is drawn of every figure.
var forms = []viz.Form{viz.FormSVG, viz.FormPNG, viz.FormOption}

// start starts the process unless it runs. The lock is held.
func (p *painter) start() error {
	if p.err != nil || p.in != nil {
		return p.err
	}
	ctx, release := interrupt.hold() // building it may take half a minute
	defer release()
	id := ""
	path, err := p.path(ctx, func(text string) {
		if id == "" {
			id = gonb.NewID()
		}
		_ = display().update(id, note(text))
	})
	if id != "" {
		_ = display().update(id, page{})
	}
	if err != nil {
		p.err = err
		return err
	}
	if p.err = p.run(path); p.err != nil {
		p.err = fmt.Errorf("mklnb: start the renderer of figures: %w", p.err)
	}
	return p.err
}

func (p *painter) run(path string) error {
	cmd := exec.Command(path)
	apart(cmd)
	p.noise.Reset()
	cmd.Stderr = &p.noise // not ours: a kernel waits until nobody holds that any more
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.in, p.out = cmd, in, json.NewDecoder(out)
	return nil
}

// draw returns a picture of each figure, or in its place why that one could not be drawn. Where there
// is no renderer the error says why.
func (p *painter) draw(figures []viz.Figure) ([]viz.Picture, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.start(); err != nil {
		return nil, err
	}
	var reply viz.Reply
	err := json.NewEncoder(p.in).Encode(viz.Request{Figures: figures, Want: forms})
	if err == nil {
		err = p.out.Decode(&reply)
	}
	if err == nil && len(reply.Pictures) != len(figures) {
		err = fmt.Errorf("%d pictures of %d figures", len(reply.Pictures), len(figures))
	}
	if err != nil {
		err = errors.Join(err, p.stop())
		if said := strings.TrimSpace(p.noise.String()); said != "" {
			err = fmt.Errorf("%w: %s", err, said[max(0, len(said)-300):])
		}
		return nil, fmt.Errorf("mklnb: the renderer of figures: %w", err)
	}
	return reply.Pictures, nil
}

// stop ends the process; the next figure starts another.
func (p *painter) stop() error {
	if p.in == nil {
		return nil
	}
	p.in.Close()
	p.in = nil
	return p.cmd.Wait()
}

// warm starts the process ahead of the first figure, while something else is computed.
func (p *painter) warm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.start() // draw says it
}

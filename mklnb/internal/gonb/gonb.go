// Package gonb is the display edge: the only package that knows how a GoNB kernel is spoken to.
//
// A cell's program finds the names of two pipes in its environment. Into MKL_PIPE it writes one
// protocol.DisplayData after the other as encoding/gob does; from MKL_PIPE_BACK it reads
// protocol.CommValues. The kernel Go (mkl) makes this pair beside GONB_PIPE and GONB_PIPE_BACK, which
// GoNB's client gonbui opens, since a pair carries one client; under GoNB's own kernel, which has the one
// pair alone, a cell uses this package or gonbui. Of GoNB's own packages it takes the types alone: gonbui
// links net, klog and os/user, which every cell would pay for.
//
// A kernel forgets what is still in the pipe when the program ends. So every message is followed by
// a sync request, and Display and Update return when its answer is there: what was shown is shown,
// whatever comes after, os.Exit too.
package gonb

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Bundle is one output in several forms, by MIME type: a string, or []byte for an image.
type Bundle map[protocol.MIMEType]any

// The MIME types of a Bundle.
const (
	HTML  = protocol.MIMETextHTML
	PNG   = protocol.MIMEImagePNG
	Plain = protocol.MIMETextPlain
)

// Notebook reports whether this program is a cell of a notebook.
func Notebook() bool { return os.Getenv(protocol.GONB_PIPE_ENV) != "" }

// Client is one connection to a kernel. Its methods may be called at the same time.
type Client struct {
	mu   sync.Mutex
	out  *os.File
	back *os.File
	enc  *gob.Encoder
	dec  *gob.Decoder
	next int
	err  error // once broken, it stays so
}

// Dial opens the two pipes, in the order in which the kernel expects it.
func Dial(pipe, back string) (*Client, error) {
	out, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("gonb: open the pipe to the kernel: %w", err)
	}
	in, err := os.Open(back)
	if err != nil {
		return nil, fmt.Errorf("gonb: open the pipe from the kernel: %w", errors.Join(err, out.Close()))
	}
	return &Client{out: out, back: in, enc: gob.NewEncoder(out), dec: gob.NewDecoder(in)}, nil
}

// Display shows b as an output of its own and returns when the kernel has it.
func (c *Client) Display(b Bundle) error { return c.send("", b) }

// Update shows b in the place of what was shown under id before, and returns when the kernel has
// it. A kernel remembers an id for as long as it lives, so take ids from NewID.
func (c *Client) Update(id string, b Bundle) error {
	if id == "" {
		return errors.New("gonb: update without an id")
	}
	return c.send(id, b)
}

func (c *Client) send(id string, b Bundle) error {
	if len(b) == 0 {
		return errors.New("gonb: an empty bundle, want at least one form")
	}
	for mime, v := range b {
		switch v.(type) {
		case string, []byte:
		default: // what gob does not know would break the pipe for the rest of the cell
			return fmt.Errorf("gonb: %s is a %T, want a string or []byte", mime, v)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = c.exchange(protocol.DisplayData{Data: b, DisplayID: id})
	}
	return c.err
}

// exchange sends m and a sync request, and waits for the answer to that.
func (c *Client) exchange(m protocol.DisplayData) error {
	if err := c.enc.Encode(m); err != nil {
		return fmt.Errorf("gonb: write to the kernel: %w", err)
	}
	id := c.next
	c.next++
	request := protocol.DisplayData{Data: Bundle{
		protocol.MIMECommValue: protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: id},
	}}
	if err := c.enc.Encode(request); err != nil {
		return fmt.Errorf("gonb: write to the kernel: %w", err)
	}
	for {
		var v protocol.CommValue
		if err := c.dec.Decode(&v); err != nil {
			return fmt.Errorf("gonb: wait for the kernel's acknowledgement: %w", err)
		}
		if v.Address == protocol.GonbuiSyncAckAddress && v.Value == id {
			return nil // everything else is news of widgets, of which there are none
		}
	}
}

// Close closes both pipes.
func (c *Client) Close() error { return errors.Join(c.out.Close(), c.back.Close()) }

// kernel is the connection of this program, opened when it is first needed.
var kernel = sync.OnceValues(func() (*Client, error) {
	if !Notebook() {
		return nil, errors.New("gonb: not a cell of a notebook: " + protocol.GONB_PIPE_ENV + " is not set")
	}
	if pipe, back := os.Getenv("MKL_PIPE"), os.Getenv("MKL_PIPE_BACK"); pipe != "" && back != "" {
		return Dial(pipe, back)
	}
	return Dial(os.Getenv(protocol.GONB_PIPE_ENV), os.Getenv(protocol.GONB_PIPE_BACK_ENV))
})

// Display shows b in the notebook of this program: see Client.Display.
func Display(b Bundle) error {
	c, err := kernel()
	if err != nil {
		return err
	}
	return c.Display(b)
}

// Update replaces what was shown under id: see Client.Update.
func Update(id string, b Bundle) error {
	c, err := kernel()
	if err != nil {
		return err
	}
	return c.Update(id, b)
}

var ids struct {
	sync.Mutex
	n int
}

// NewID returns an id that no run of any cell has had: the process, the time, a counter. It ends up
// in no saved notebook.
func NewID() string {
	ids.Lock()
	defer ids.Unlock()
	ids.n++
	return "mkl-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" +
		strconv.Itoa(ids.n)
}

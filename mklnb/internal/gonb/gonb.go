// Package gonb is the display edge: the only package that knows how a GoNB kernel is spoken to.
//
// A cell's program finds the names of two pipes in its environment. Into GONB_PIPE it writes one
// DisplayData after the other as encoding/gob does; from GONB_PIPE_BACK it reads CommValues. The
// types are those of github.com/janpfeifer/gonb/gonbui/protocol, of which a test holds that they
// look the same on the wire; the client package gonbui beside it links net, klog and os/user, which
// every cell would pay for.
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
)

// Bundle is one output in several forms, by MIME type: a string, or []byte for an image.
type Bundle map[string]any

// The MIME types of a Bundle.
const (
	HTML  = "text/html"
	PNG   = "image/png"
	Plain = "text/plain"
)

const (
	pipeEnv, backEnv    = "GONB_PIPE", "GONB_PIPE_BACK"
	commMIME            = "gonb/comm_value"
	syncAddr, syncReply = "#gonbui/sync", "#gonbui/sync_ack"
	commName            = "github.com/janpfeifer/gonb/gonbui/protocol.CommValue"
)

// DisplayData is a message to the kernel. Its name and those of its fields are on the wire.
type DisplayData struct {
	Data      map[string]any
	Metadata  map[string]any
	DisplayID string
}

// CommValue asks for, and is, an answer of the kernel.
type CommValue struct {
	Address string
	Request bool
	Value   any
}

// Notebook reports whether this program is a cell of a notebook.
func Notebook() bool { return os.Getenv(pipeEnv) != "" }

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

var register = sync.OnceFunc(func() { gob.RegisterName(commName, CommValue{}) })

// Dial opens the two pipes, in the order in which the kernel expects it.
func Dial(pipe, back string) (*Client, error) {
	register()
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
		c.err = c.exchange(DisplayData{Data: b, DisplayID: id})
	}
	return c.err
}

// exchange sends m and a sync request, and waits for the answer to that.
func (c *Client) exchange(m DisplayData) error {
	if err := c.enc.Encode(m); err != nil {
		return fmt.Errorf("gonb: write to the kernel: %w", err)
	}
	id := c.next
	c.next++
	if err := c.enc.Encode(DisplayData{Data: map[string]any{commMIME: CommValue{Address: syncAddr, Value: id}}}); err != nil {
		return fmt.Errorf("gonb: write to the kernel: %w", err)
	}
	for {
		var v CommValue
		if err := c.dec.Decode(&v); err != nil {
			return fmt.Errorf("gonb: wait for the kernel's acknowledgement: %w", err)
		}
		if v.Address == syncReply && v.Value == id {
			return nil // everything else is news of widgets, of which there are none
		}
	}
}

// Close closes both pipes.
func (c *Client) Close() error { return errors.Join(c.out.Close(), c.back.Close()) }

// kernel is the connection of this program, opened when it is first needed.
var kernel = sync.OnceValues(func() (*Client, error) {
	if !Notebook() {
		return nil, errors.New("gonb: not a cell of a notebook: " + pipeEnv + " is not set")
	}
	return Dial(os.Getenv(pipeEnv), os.Getenv(backEnv))
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
	return "mkl-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.Itoa(ids.n)
}

// Package gonb shows outputs in a notebook: HTML, pictures and text below the cell. Package mklnb calls it. It is the
// only package that implements the protocol of the kernel GoNB.
//
//	Display     shows an output in several formats (Bundle)
//	Update      makes an output with an identifier from NewID, and replaces its content
//	InNotebook  reports whether this program is a cell of a notebook
//
//	err := gonb.Display(gonb.Bundle{gonb.HTML: "<b>1.5</b>", gonb.Plain: "1.5"})
//
// Display and Update return when the kernel has the output, which is then shown even if the program calls os.Exit.
package gonb

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// The kernel Go (mkl) is GoNB with the patch of package setup. The environment of a cell's program contains the names
// of two pipes. The program writes values of type protocol.DisplayData to MKL_PIPE, encoded by encoding/gob, and reads
// values of type protocol.CommValue from MKL_PIPE_BACK. A pair of pipes serves one client, so the client gonbui of GoNB
// opens a second pair, GONB_PIPE and GONB_PIPE_BACK. GoNB without the patch has only that second pair, and a cell can
// use either this package or gonbui. Package gonb imports only types of GoNB, because gonbui would link net, klog and
// os/user into every cell.
//
// When a program ends, the kernel discards what is still in the pipe. Display and Update therefore send a sync request
// after the output and return when the kernel has acknowledged it.

// Bundle is one output in several formats, by MIME type: each is a string, or []byte for an image.
type Bundle map[protocol.MIMEType]any

// MIME types of a Bundle.
const (
	HTML  = protocol.MIMETextHTML
	PNG   = protocol.MIMEImagePNG
	Plain = protocol.MIMETextPlain
)

// InNotebook reports whether this program is a cell of a notebook.
func InNotebook() bool { return os.Getenv(protocol.GONB_PIPE_ENV) != "" }

// client is one connection to the Jupyter kernel GoNB. Several goroutines may call its method sendBundle at the same
// time.
type client struct {
	mu      sync.Mutex
	out     *os.File // the pipe to the kernel GoNB
	replies *os.File // the pipe from the kernel GoNB
	encoder *gob.Encoder
	decoder *gob.Decoder
	nextID  int   // id of the next sync request
	sendErr error // the first error of a send; every later send returns the same error
}

// dial opens pipe for writing, and after it replyPipe for reading: GoNB opens its ends in this order.
func dial(pipe, replyPipe string) (*client, error) {
	out, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("gonb: cannot open the pipe to the kernel: %w", err)
	}
	replies, err := os.Open(replyPipe)
	if err != nil {
		return nil, fmt.Errorf("gonb: cannot open the pipe from the kernel: %w", errors.Join(err, out.Close()))
	}
	return &client{out: out, replies: replies, encoder: gob.NewEncoder(out), decoder: gob.NewDecoder(replies)}, nil
}

// sendBundle shows b as a new output if id is "", else in the output with this id. It returns when the kernel has b.
func (c *client) sendBundle(id string, b Bundle) error {
	if len(b) == 0 {
		return errors.New("gonb: the bundle is empty; it needs at least one format")
	}
	for mime, v := range b {
		switch v.(type) {
		case string, []byte:
		default: // gob cannot encode other types, and the kernel would close the pipe for the rest of the cell
			return fmt.Errorf("gonb: %s has type %T; use a string or []byte", mime, v)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sendErr == nil {
		c.sendErr = c.sendAndWait(protocol.DisplayData{Data: b, DisplayID: id})
	}
	return c.sendErr
}

// sendAndWait sends m and then a sync request, and waits for the acknowledgment of the request.
func (c *client) sendAndWait(m protocol.DisplayData) error {
	if err := c.encoder.Encode(m); err != nil {
		return fmt.Errorf("gonb: cannot write to the kernel: %w", err)
	}
	id := c.nextID
	c.nextID++
	request := protocol.DisplayData{Data: Bundle{
		protocol.MIMECommValue: protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: id},
	}}
	if err := c.encoder.Encode(request); err != nil {
		return fmt.Errorf("gonb: cannot write to the kernel: %w", err)
	}
	for {
		var v protocol.CommValue
		if err := c.decoder.Decode(&v); err != nil {
			return fmt.Errorf("gonb: the kernel did not acknowledge the output: %w", err)
		}
		if v.Address == protocol.GonbuiSyncAckAddress && v.Value == id {
			return nil // other values are messages of widgets, which this package does not have
		}
	}
}

// connection returns the connection of this program to GoNB. The first call opens the pipes.
var connection = sync.OnceValues(func() (*client, error) {
	if !InNotebook() {
		return nil, errors.New("gonb: this program is not a cell of a notebook: " + protocol.GONB_PIPE_ENV +
			" is not set")
	}
	if pipe, replyPipe := os.Getenv("MKL_PIPE"), os.Getenv("MKL_PIPE_BACK"); pipe != "" && replyPipe != "" {
		return dial(pipe, replyPipe)
	}
	return dial(os.Getenv(protocol.GONB_PIPE_ENV), os.Getenv(protocol.GONB_PIPE_BACK_ENV))
})

// Display shows b as a new output in the notebook of this program. It returns when the kernel has received b; outside a
// notebook it returns an error. Several goroutines may call Display and Update at the same time.
func Display(b Bundle) error { return sendToKernel("", b) }

// Update shows b as the output with this id: the first call makes the output, later calls replace it. Update returns
// when the kernel has received b; outside a notebook it returns an error. Use an id from NewID, not one of an earlier
// cell: GoNB remembers every id until it ends.
func Update(id string, b Bundle) error {
	if id == "" {
		return errors.New("gonb: the id of the output is empty; use an id of NewID")
	}
	return sendToKernel(id, b)
}

// sendToKernel shows b in the notebook as the output with this id, or as a new output if id is "".
func sendToKernel(id string, b Bundle) error {
	c, err := connection()
	if err != nil {
		return err
	}
	return c.sendBundle(id, b)
}

var idCount atomic.Int64

// NewID returns an id that no other run of a cell uses, made of the process id, the time and a counter. Saved notebooks
// do not contain it.
func NewID() string {
	return fmt.Sprintf("mkl-%d-%s-%d", os.Getpid(), strconv.FormatInt(time.Now().UnixNano(), 36), idCount.Add(1))
}

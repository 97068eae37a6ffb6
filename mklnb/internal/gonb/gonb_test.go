//go:build unix

package gonb

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// fakeKernel implements GoNB's side of two named pipes.
type fakeKernel struct {
	pipe, back string
	delay      time.Duration           // before each message is read
	chatter    bool                    // messages of widgets before every acknowledgment
	dieAfter   int                     // acknowledgments until the pipes close; 0 means never
	mu         sync.Mutex              //
	got        []*protocol.DisplayData // displayed
	errs       []error
	done       chan struct{}
}

func (k *fakeKernel) start(t *testing.T) *fakeKernel {
	t.Helper()
	dir := t.TempDir()
	k.pipe, k.back, k.done = filepath.Join(dir, "pipe"), filepath.Join(dir, "back"), make(chan struct{})
	for _, p := range []string{k.pipe, k.back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		defer close(k.done)
		in, err := os.Open(k.pipe)
		if err != nil {
			k.fail(err)
			return
		}
		defer in.Close()
		out, err := os.OpenFile(k.back, os.O_WRONLY, 0)
		if err != nil {
			k.fail(err)
			return
		}
		defer out.Close()
		dec, enc, acks := gob.NewDecoder(in), gob.NewEncoder(out), 0
		for {
			time.Sleep(k.delay)
			d := &protocol.DisplayData{}
			if err := dec.Decode(d); err != nil {
				return
			}
			v, comm := d.Data[protocol.MIMECommValue]
			if !comm {
				k.mu.Lock()
				k.got = append(k.got, d)
				k.mu.Unlock()
				continue
			}
			c, ok := v.(protocol.CommValue)
			if !ok || c.Address != protocol.GonbuiSyncAddress {
				k.fail(fmt.Errorf("comm value %#v", v))
				return
			}
			if k.chatter {
				k.fail(enc.Encode(&protocol.CommValue{Address: "/widget", Value: "news"}))
				k.fail(enc.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: -1}))
			}
			k.fail(enc.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: c.Value}))
			if acks++; acks == k.dieAfter {
				return
			}
		}
	}()
	return k
}

func (k *fakeKernel) fail(err error) {
	if err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.errs = append(k.errs, err)
	}
}

// seen returns the displays until now.
func (k *fakeKernel) seen(t *testing.T) []*protocol.DisplayData {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := errors.Join(k.errs...); err != nil {
		t.Fatal(err)
	}
	return k.got
}

func connect(t *testing.T, k *fakeKernel) *client {
	t.Helper()
	c, err := dial(k.pipe, k.back)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.out.Close(); c.replies.Close(); <-k.done })
	return c
}

// TestDisplayIsAcknowledged tests that send returns after the kernel has received the message, also with a slow
// kernel and a large message.
func TestDisplayIsAcknowledged(t *testing.T) {
	k := (&fakeKernel{delay: 2 * time.Millisecond, chatter: true}).start(t)
	c := connect(t, k)
	big := strings.Repeat("0123456789abcdef", 1<<18) // 4 MB, 64 times the capacity of a pipe
	for i := range 20 {
		if err := c.send("", Bundle{HTML: big[:1<<(i+2)], Plain: fmt.Sprint(i),
			PNG: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
		got := k.seen(t)
		if len(got) != i+1 {
			t.Fatalf("after %d calls the kernel has %d messages", i+1, len(got))
		}
		d := got[i]
		if d.Data[protocol.MIMETextHTML] != big[:1<<(i+2)] || d.Data[protocol.MIMETextPlain] != fmt.Sprint(i) ||
			d.DisplayID != "" ||
			!bytes.Equal(d.Data[protocol.MIMEImagePNG].([]byte), []byte{byte(i)}) {
			t.Errorf("message %d arrived as %#v", i, d)
		}
	}
}

// TestManyAtOnce tests that goroutines that show outputs at the same time lose none, and that each keeps its order.
func TestManyAtOnce(t *testing.T) {
	k := (&fakeKernel{}).start(t)
	c := connect(t, k)
	const workers, each = 4, 50
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range each {
				if err := c.send(fmt.Sprint("id", w), Bundle{Plain: fmt.Sprint(i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	next := map[string]int{}
	for _, d := range k.seen(t) {
		if d.Data[protocol.MIMETextPlain] != fmt.Sprint(next[d.DisplayID]) {
			t.Fatalf("%s shows %v, expected %d", d.DisplayID, d.Data, next[d.DisplayID])
		}
		next[d.DisplayID]++
	}
	for w := range workers {
		if n := next[fmt.Sprint("id", w)]; n != each {
			t.Errorf("worker %d: %d of %d arrived", w, n, each)
		}
	}
}

// TestBadBundle tests that a value that gob cannot encode is an error and does not break the pipe.
func TestBadBundle(t *testing.T) {
	k := (&fakeKernel{}).start(t)
	c := connect(t, k)
	for _, b := range []Bundle{nil, {HTML: map[string]any{"a": 1}}, {PNG: 3}} {
		if err := c.send("", b); err == nil || !strings.HasPrefix(err.Error(), "gonb: ") {
			t.Errorf("%v: the error is %v", b, err)
		}
	}
	if err := Update("", Bundle{HTML: ""}); err == nil {
		t.Error("an update without an id returns no error")
	}
	if err := c.send("", Bundle{HTML: "still here"}); err != nil {
		t.Error(err)
	}
	if n := len(k.seen(t)); n != 1 {
		t.Errorf("%d messages arrived, expected 1", n)
	}
}

// TestKernelEnded tests that every call after the end of the kernel returns an error and does not wait.
func TestKernelEnded(t *testing.T) {
	k := (&fakeKernel{dieAfter: 1}).start(t)
	c := connect(t, k)
	if err := c.send("", Bundle{Plain: "last"}); err != nil {
		t.Fatal(err)
	}
	<-k.done
	for range 2 {
		if err := c.send("", Bundle{Plain: "lost"}); err == nil || !strings.Contains(err.Error(), "kernel") {
			t.Errorf("error is %v, expected one about the kernel", err)
		}
	}
}

// TestNotANotebook tests that without the kernel's variables, the functions return an error that names what is missing.
func TestNotANotebook(t *testing.T) {
	t.Setenv(protocol.GONB_PIPE_ENV, "")
	if Notebook() {
		t.Error("Notebook returns true without a pipe")
	}
	if _, err := dial(filepath.Join(t.TempDir(), "nothing"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, expected that the pipe does not exist", err)
	}
	for _, err := range []error{Display(Bundle{Plain: "x"}), Update("a", Bundle{Plain: "x"})} {
		if err == nil || !strings.Contains(err.Error(), protocol.GONB_PIPE_ENV) {
			t.Errorf("error is %v, expected one that names %s", err, protocol.GONB_PIPE_ENV)
		}
	}
}

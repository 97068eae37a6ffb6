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

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// fakeKernel implements GoNB's side of two named pipes.
type fakeKernel struct {
	pipe, back string
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
			k.fail(enc.Encode(&protocol.CommValue{Address: "/widget", Value: "a message of a widget"}))
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

// TestDisplayIsAcknowledged tests that send returns after the kernel has received the message, also a large one.
func TestDisplayIsAcknowledged(t *testing.T) {
	k := (&fakeKernel{}).start(t)
	c := connect(t, k)
	for i, size := range []int{1, 4 << 20} { // 4 MB, 64 times the capacity of a pipe
		page := strings.Repeat("x", size)
		if err := c.sendBundle("", Bundle{HTML: page, PNG: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
		got := k.seen(t)
		if len(got) != i+1 || got[i].Data[protocol.MIMETextHTML] != page || got[i].DisplayID != "" ||
			!bytes.Equal(got[i].Data[protocol.MIMEImagePNG].([]byte), []byte{byte(i)}) {
			t.Fatalf("after %d calls the kernel has %d messages, the last %.200v", i+1, len(got), got)
		}
	}
}

// TestManyAtOnce tests that goroutines that show outputs at the same time lose none.
func TestManyAtOnce(t *testing.T) {
	k := (&fakeKernel{}).start(t)
	c := connect(t, k)
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for range 50 {
				if err := c.sendBundle("id", Bundle{Plain: "x"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	if n := len(k.seen(t)); n != 200 {
		t.Errorf("%d of 200 messages arrived", n)
	}
}

// TestBadBundle tests that a value that gob cannot encode is an error and does not break the pipe.
func TestBadBundle(t *testing.T) {
	k := (&fakeKernel{}).start(t)
	c := connect(t, k)
	for _, b := range []Bundle{nil, {HTML: map[string]any{"a": 1}}, {PNG: 3}} {
		if err := c.sendBundle("", b); err == nil || !strings.HasPrefix(err.Error(), "gonb: ") {
			t.Errorf("%v: the error is %v", b, err)
		}
	}
	if err := Update("", Bundle{HTML: ""}); err == nil {
		t.Error("an update without an id returns no error")
	}
	if err := c.sendBundle("", Bundle{HTML: "still here"}); err != nil {
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
	if err := c.sendBundle("", Bundle{Plain: "last"}); err != nil {
		t.Fatal(err)
	}
	<-k.done
	for range 2 {
		if err := c.sendBundle("", Bundle{Plain: "lost"}); err == nil || !strings.Contains(err.Error(), "kernel") {
			t.Errorf("error is %v, expected one about the kernel", err)
		}
	}
}

// TestNotANotebook tests that without the kernel's variables, the functions return an error that names what is missing.
func TestNotANotebook(t *testing.T) {
	t.Setenv(protocol.GONB_PIPE_ENV, "")
	if InNotebook() {
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

package gonb

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPrinted: printed returns when a pipe has been read, not before, and at once for a file.
func TestPrinted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("more"); err != nil {
		t.Fatal(err)
	}
	printed(f)
	for range 20 {
		if _, err := w.WriteString("a line\n"); err != nil {
			t.Fatal(err)
		}
		begun, read := make(chan struct{}), make(chan bool, 1)
		go func() {
			close(begun)
			printed(w)
			read <- true
		}()
		<-begun
		n, err := r.Read(make([]byte, 100))
		if err != nil || n != 7 {
			t.Fatalf("%d bytes, %v", n, err)
		}
		<-read
	}
	// of a pipe that nobody reads it gives up
	if _, err := w.WriteString("a line\n"); err != nil {
		t.Fatal(err)
	}
	printed(w)
	if n, err := r.Read(make([]byte, 100)); err != nil || n != 7 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

package sha256_test

import (
	std "crypto/sha256"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/data/sha256"
)

// TestEqual compares with the standard library for all lengths up to three blocks, written at once and in pieces.
func TestEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 3*sha256.BlockSize + 2 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		want := std.Sum256(b)
		if got := sha256.Sum256(b); got != want {
			t.Fatalf("%d bytes: %x, expected %x", n, got, want)
		}
		h := sha256.New()
		for rest := b; len(rest) > 0; {
			c := 1 + r.IntN(len(rest))
			h.Write(rest[:c])
			h.Sum(nil) // must not change the state
			rest = rest[c:]
		}
		if got := h.Sum(nil); string(got) != string(want[:]) || h.Size() != std.Size || h.BlockSize() != std.BlockSize {
			t.Fatalf("%d bytes in pieces: %x, expected %x", n, got, want)
		}
		h.Reset()
		h.Write(b)
		if got := h.Sum([]byte("x")); string(got) != "x"+string(want[:]) {
			t.Fatalf("%d bytes after Reset: %x, expected %x", n, got, want)
		}
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if sha256.Sum256(b) != std.Sum256(b) {
			t.Fatalf("%x", b)
		}
	})
}

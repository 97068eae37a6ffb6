// Package sha256 implements the SHA-256 hash (FIPS 180-4) for data files.
//
// The package exists because crypto/sha256 imports about thirty packages, and the program of every notebook cell is
// linked again: linking them takes about a fifth of the build time of a cell that prints one line. This implementation
// is slower than the standard library, which does not matter for data files; use crypto/sha256 elsewhere. A test
// compares the two.
package sha256

import (
	"encoding/binary"
	"hash"
	"math/bits"
)

// Lengths of a hash and of a block, in bytes.
const (
	Size      = 32
	BlockSize = 64
)

// k holds the first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
var k = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

type digest struct {
	h [8]uint32
	x [BlockSize]byte
	n int    // bytes in x
	l uint64 // bytes so far
}

// New returns a hash.
func New() hash.Hash {
	d := new(digest)
	d.Reset()
	return d
}

// Sum256 returns the sum of b.
func Sum256(b []byte) (sum [Size]byte) {
	d := New()
	d.Write(b)
	d.Sum(sum[:0])
	return sum
}

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return BlockSize }

// Reset stores the initial hash value (5.3.3).
func (d *digest) Reset() {
	*d = digest{h: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19}}
}

func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	d.l += uint64(n)
	if d.n > 0 {
		c := copy(d.x[d.n:], p)
		d.n, p = d.n+c, p[c:]
		if d.n == BlockSize {
			d.block(d.x[:])
			d.n = 0
		}
	}
	for ; len(p) >= BlockSize; p = p[BlockSize:] {
		d.block(p)
	}
	if len(p) > 0 {
		d.n = copy(d.x[:], p)
	}
	return n, nil
}

// Sum appends the hash of the bytes written so far to in. It does not change the state.
func (d *digest) Sum(in []byte) []byte {
	e := *d
	pad := make([]byte, (119-e.l%BlockSize)%BlockSize+9) // 1 bit, zeros to 56 mod 64, length
	pad[0] = 0x80
	binary.BigEndian.PutUint64(pad[len(pad)-8:], e.l*8)
	e.Write(pad)
	for _, v := range e.h {
		in = binary.BigEndian.AppendUint32(in, v)
	}
	return in
}

// block adds one block to the state (section 6.2.2 of FIPS 180-4).
func (d *digest) block(p []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(p[4*i:])
	}
	for i := 16; i < 64; i++ {
		s0 := bits.RotateLeft32(w[i-15], -7) ^ bits.RotateLeft32(w[i-15], -18) ^ w[i-15]>>3
		s1 := bits.RotateLeft32(w[i-2], -17) ^ bits.RotateLeft32(w[i-2], -19) ^ w[i-2]>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	a, b, c, e := d.h[0], d.h[1], d.h[2], d.h[4]
	dd, f, g, h := d.h[3], d.h[5], d.h[6], d.h[7]
	for i := range 64 {
		t1 := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) +
			k[i] + w[i]
		t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		h, g, f, e, dd, c, b, a = g, f, e, dd+t1, c, b, a, t1+t2
	}
	for i, v := range [8]uint32{a, b, c, dd, e, f, g, h} {
		d.h[i] += v
	}
}

package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Large operations are divided into tiles. One thread computes each tile. The choice of this thread and the number of
// free threads never change a bit of a result.

// Bound is the largest number of threads that one operation uses, including the thread of its caller. Bound(0) stands
// for Threads(). Bound(1) computes only on the goroutine of the caller. An operation is divided into tiles for the full
// number of threads of its bound, even if fewer are free in the program. So its result depends, to the last bit, on the
// bound and not on other operations that run.
//
// The functions of this package that compute in tiles are the methods of Bound(0). If a tile of Run calls such an
// operation, it chooses the bound of that operation itself.
type Bound int

// threads returns the number of threads for which an operation is divided into tiles.
func (t Bound) threads() int {
	if t > 0 {
		return int(t)
	}
	return Threads()
}

var (
	threads atomic.Int64 // the value set; 0 means GOMAXPROCS
	lent    atomic.Int64 // goroutines that help at present, in the whole program
)

// Threads returns the number of threads for which an operation without a Bound is divided into tiles. All operations of
// the program together have at most Threads() − 1 helpers, which are goroutines in addition to the callers. The number
// is GOMAXPROCS unless SetThreads changes it.
func Threads() int {
	if t := int(threads.Load()); t > 0 {
		return t
	}
	return runtime.GOMAXPROCS(0)
}

// SetThreads sets the number of threads of the program and returns the previous setting. n ≤ 0 stands for GOMAXPROCS,
// and 0 is returned for it. It is meant for main and for benchmarks; other code should use a Bound.
func SetThreads(n int) (before int) { return int(threads.Swap(int64(max(n, 0)))) }

// Tiled is an operation that is divided into tiles. Different tiles must not write to the same memory.
type Tiled interface{ Tile(i int) }

// TileFunc is a function that implements Tiled. Its argument is the number of a tile.
type TileFunc func(i int)

// Tile calls f.
func (f TileFunc) Tile(i int) { f(i) }

// team runs the tiles of one operation.
type team struct {
	work  Tiled
	tiles int64
	next  atomic.Int64
	wait  sync.WaitGroup
	help  func()
}

var teams = sync.Pool{New: func() any {
	c := new(team)
	c.help = func() {
		c.run()
		lent.Add(-1)
		c.wait.Done()
	}
	return c
}}

func (c *team) run() {
	for {
		i := c.next.Add(1) - 1
		if i >= c.tiles {
			return
		}
		c.work.Tile(int(i))
	}
}

// borrow reserves helpers, at most want of them, and returns their number.
func borrow(want int) int {
	if want <= 0 {
		return 0
	}
	for {
		l := lent.Load()
		n := min(int64(want), int64(Threads())-1-l)
		if n <= 0 {
			return 0
		}
		if lent.CompareAndSwap(l, l+n) {
			return int(n)
		}
	}
}

// Run computes the tiles with all free threads, but at most Threads().
func Run(work Tiled, tiles int) { Bound(0).Run(work, tiles) }

// Run computes the tiles with all free threads, but at most t. It allocates nothing.
func (t Bound) Run(work Tiled, tiles int) {
	helpers := borrow(min(tiles, t.threads()) - 1)
	if helpers == 0 {
		for i := range tiles {
			work.Tile(i)
		}
		return
	}
	c := teams.Get().(*team)
	c.work, c.tiles = work, int64(tiles)
	c.next.Store(0)
	c.wait.Add(helpers)
	for range helpers {
		go c.help()
	}
	c.run()
	c.wait.Wait()
	c.work = nil
	teams.Put(c)
}

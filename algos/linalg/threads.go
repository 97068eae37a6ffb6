package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Large operations are cut into tiles, and each tile is computed by one thread. Which of the threads
// computes it, and how many of them are free, never changes a bit of a result.

// Bound is at most how many threads one operation uses, its caller's own included; 0 stands for
// Threads(). Bound(1) computes on the caller's goroutine alone. An operation is cut for as many
// threads as its bound says, so that its result depends, to the last bit, on the bound and not on
// what else runs; the threads that it gets are those of its bound that are free in the program.
//
// The functions of this package that compute in tiles are the methods of Bound(0). A tile of Run
// that calls an operation itself gives that one its own bound.
type Bound int

// threads is how many threads an operation is cut for.
func (t Bound) threads() int {
	if t > 0 {
		return int(t)
	}
	return Threads()
}

var (
	threads atomic.Int64 // as set; 0 for GOMAXPROCS
	lent    atomic.Int64 // goroutines that help now, in the whole program
)

// Threads is how many threads an operation without a Bound is cut for. All operations of the program
// together have at most Threads() − 1 helpers, goroutines beside their callers'. It is GOMAXPROCS
// unless SetThreads says otherwise.
func Threads() int {
	if t := int(threads.Load()); t > 0 {
		return t
	}
	return runtime.GOMAXPROCS(0)
}

// SetThreads sets the number of threads of the program; n ≤ 0 stands for GOMAXPROCS. It returns what
// was set before. It is for main and for benchmarks: a part of a program uses a Bound.
func SetThreads(n int) (before int) { return int(threads.Swap(int64(max(n, 0)))) }

// Tiled is an operation cut into tiles that do not write to the same place.
type Tiled interface{ Tile(i int) }

// TileFunc is a function of the number of a tile.
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

// borrow returns how many goroutines may help, at most want.
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

// Run computes the tiles with as many threads as are free, at most Threads().
func Run(work Tiled, tiles int) { Bound(0).Run(work, tiles) }

// Run computes the tiles with as many threads as are free, at most t. It allocates nothing.
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

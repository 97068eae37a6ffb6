package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Large operations are divided into tiles. One thread computes each tile. The result does not depend on which thread
// computes which tile, nor on the number of free threads.

// Bound is the largest number of threads that one operation uses, including the thread of its caller. Bound(0) stands
// for Threads(). Bound(1) computes only on the goroutine of the caller. An operation is divided into tiles for the
// number of threads of its bound, even if fewer are free in the program. Therefore its result depends, to the last bit,
// on the bound but not on other operations that run at the same time.
//
// A bound does not limit operations that a tile of Run calls: the tile chooses their bounds.
type Bound int

// threads returns the number of threads for which an operation is divided into tiles.
func (t Bound) threads() int {
	if t > 0 {
		return int(t)
	}
	return Threads()
}

var (
	threads       atomic.Int64 // the value set; 0 means GOMAXPROCS
	activeHelpers atomic.Int64 // number of goroutines that compute tiles now, without the callers, in the whole program
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

// SetThreads sets the number that Threads returns, and returns the previous setting. n ≤ 0 sets GOMAXPROCS, for which
// SetThreads later returns 0. It is meant for main and for benchmarks; other code should use a Bound.
func SetThreads(n int) (before int) { return int(threads.Swap(int64(max(n, 0)))) }

// Tiled is an operation that is divided into tiles. Tile computes tile i. Different tiles must not write to the same
// memory.
type Tiled interface{ Tile(i int) }

// TileFunc is a function that computes tile i. It implements Tiled.
type TileFunc func(i int)

// Tile calls f.
func (f TileFunc) Tile(i int) { f(i) }

// team runs the tiles of one operation.
type team struct {
	work  Tiled
	tiles int64          // number of tiles
	next  atomic.Int64   // the tile that the next free thread computes
	wait  sync.WaitGroup // the helpers that still run
	help  func()         // the function of a helper
}

// teams pools teams, so that Run allocates nothing.
var teams = sync.Pool{New: func() any {
	c := new(team)
	c.help = func() {
		c.runTiles()
		activeHelpers.Add(-1)
		c.wait.Done()
	}
	return c
}}

// runTiles computes tiles until all tiles have been started.
func (c *team) runTiles() {
	for {
		i := c.next.Add(1) - 1
		if i >= c.tiles {
			return
		}
		c.work.Tile(int(i))
	}
}

// reserveHelpers reserves up to limit helpers, as many as are free in the program, and returns their number.
func reserveHelpers(limit int) int {
	if limit <= 0 {
		return 0
	}
	for {
		active := activeHelpers.Load()
		n := min(int64(limit), int64(Threads())-1-active)
		if n <= 0 {
			return 0
		}
		if activeHelpers.CompareAndSwap(active, active+n) {
			return int(n)
		}
	}
}

// Run computes all tiles of work, on the caller's thread and on all free threads, at most t in total. It allocates
// nothing.
func (t Bound) Run(work Tiled, tiles int) {
	helpers := reserveHelpers(min(tiles, t.threads()) - 1)
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
	c.runTiles()
	c.wait.Wait()
	c.work = nil
	teams.Put(c)
}

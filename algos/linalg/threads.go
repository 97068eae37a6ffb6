package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Large operations are cut into tiles, and each tile is computed by one thread. Which of the threads
// computes it, and how many of them are free, never changes a bit of a result.

var (
	threads atomic.Int64 // as set; 0 for GOMAXPROCS
	single  atomic.Int64 // callers of Single that have not ended
	lent    atomic.Int64 // goroutines that help now, in the whole program
)

// Threads is how many threads all operations of the program together may use, the callers' own
// not counted twice: GOMAXPROCS unless SetThreads says otherwise, and 1 inside Single.
func Threads() int {
	if single.Load() > 0 {
		return 1
	}
	if t := int(threads.Load()); t > 0 {
		return t
	}
	return runtime.GOMAXPROCS(0)
}

// SetThreads sets the number of threads; n ≤ 0 stands for GOMAXPROCS. It returns what was set
// before.
func SetThreads(n int) (before int) { return int(threads.Swap(int64(max(n, 0)))) }

// Single keeps every operation on the goroutine that calls it until end is called: for code that
// runs units of work in parallel itself. Calls nest, and end may be called more than once.
//
//	defer linalg.Single()()
func Single() (end func()) {
	single.Add(1)
	var once sync.Once
	return func() { once.Do(func() { single.Add(-1) }) }
}

// Tiled is an operation cut into tiles that do not write to the same place.
type Tiled interface{ Tile(i int) }

// crew runs the tiles of one operation.
type crew struct {
	work  Tiled
	tiles int64
	next  atomic.Int64
	wait  sync.WaitGroup
	help  func()
}

var crews = sync.Pool{New: func() any {
	c := new(crew)
	c.help = func() {
		c.run()
		lent.Add(-1)
		c.wait.Done()
	}
	return c
}}

func (c *crew) run() {
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

// Run computes the tiles, with as many threads as are free. It allocates nothing.
func Run(work Tiled, tiles int) {
	helpers := borrow(tiles - 1)
	if helpers == 0 {
		for i := range tiles {
			work.Tile(i)
		}
		return
	}
	c := crews.Get().(*crew)
	c.work, c.tiles = work, int64(tiles)
	c.next.Store(0)
	c.wait.Add(helpers)
	for range helpers {
		go c.help()
	}
	c.run()
	c.wait.Wait()
	c.work = nil
	crews.Put(c)
}

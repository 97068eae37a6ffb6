package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Large operations are divided into tiles. One thread computes each tile. The result does not depend on which thread
// computes which tile, nor on the number of free threads.

// ThreadLimit is the largest number of threads that one operation uses, including the thread of its caller.
// ThreadLimit(0) stands for Threads(). ThreadLimit(1) computes only on the goroutine of the caller. An operation is
// divided into tiles for the number of threads of its limit, even if fewer are free in the program. Therefore its
// result depends, to the last bit, on the limit but not on other operations that run at the same time.
//
// In pure Go the tiles depend only on the sizes, so the limit changes no bit. With a library they also depend on the
// limit, because larger calls of a library are faster: on one thread, Gemm, Syrk and Factorize (without Done) do not
// divide their work. With different limits, the last bits of a product of more than 256 rows, or of a Cholesky factor
// of order n > 512, may differ.
//
// A limit does not apply to operations inside a function that is passed to Run: that function chooses their limits.
type ThreadLimit int

// threadCount returns t, or Threads() if t is 0: the number of threads for which an operation is divided into tiles.
func (t ThreadLimit) threadCount() int {
	if t > 0 {
		return int(t)
	}
	return Threads()
}

var (
	threads       atomic.Int64 // the number given to SetThreads; 0 means GOMAXPROCS
	activeHelpers atomic.Int64 // goroutines of the program that compute tiles now, except those that called Run
)

// Threads returns the number of threads for which an operation without a ThreadLimit is divided into tiles. All
// operations of the program together have at most Threads() − 1 helpers, which are goroutines in addition to the
// callers. The number is GOMAXPROCS unless SetThreads changes it.
func Threads() int {
	if t := int(threads.Load()); t > 0 {
		return t
	}
	return runtime.GOMAXPROCS(0)
}

// SetThreads sets the number that Threads returns, and returns the previous setting. n ≤ 0 sets GOMAXPROCS, for which
// SetThreads later returns 0. It is meant for main and for benchmarks; other code should use a ThreadLimit.
func SetThreads(n int) (previous int) { return int(threads.Swap(int64(max(n, 0)))) }

// reserveHelpers adds up to limit to activeHelpers, as far as Threads() permits, and returns the added number.
func reserveHelpers(limit int) (reserved int) {
	for {
		activeCount := activeHelpers.Load()
		n := min(int64(limit), int64(Threads())-1-activeCount)
		if n <= 0 {
			return 0
		}
		if activeHelpers.CompareAndSwap(activeCount, activeCount+n) {
			return int(n)
		}
	}
}

// Run calls computeTile(0), …, computeTile(tileCount−1), on the caller's thread and on all free threads, at most t in
// total. Different tiles must not write to the same memory.
func (t ThreadLimit) Run(tileCount int, computeTile func(i int)) {
	helperCount := reserveHelpers(min(tileCount, t.threadCount()) - 1)
	if helperCount == 0 {
		for i := range tileCount {
			computeTile(i)
		}
		return
	}
	var next atomic.Int64 // the tile that the next free thread computes
	computeTiles := func() {
		for i := int(next.Add(1) - 1); i < tileCount; i = int(next.Add(1) - 1) {
			computeTile(i)
		}
	}
	var running sync.WaitGroup
	for range helperCount {
		running.Go(func() {
			defer activeHelpers.Add(-1)
			computeTiles()
		})
	}
	computeTiles()
	running.Wait()
}

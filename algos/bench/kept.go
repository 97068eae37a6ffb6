package main

import (
	"path/filepath"

	"github.com/mklnb/mkl/algos/store"
)

// found is the answer of a side and the time that it took.
type found struct {
	Seconds float64
	Values  []float64
	Origin  Origin
}

// kept returns e with a store in the cache folder. It returns the stored answer of an earlier run if there is one.
// Otherwise it runs e and stores the answer.
func (b *bench) kept(e entry, key func(e entry, threads int) (string, error)) entry {
	return entry{e.label, e.env, func(threads int) (*side, error) {
		cache, err := store.CacheDir()
		if err != nil {
			return nil, err
		}
		s, err := store.Open(filepath.Join(cache, "bench-quality"))
		if err != nil {
			return nil, err
		}
		k, err := key(e, threads)
		if err != nil {
			return nil, err
		}
		var f found
		made := &side{
			time:   func(int) (float64, error) { return f.Seconds, nil },
			result: func() ([]float64, Origin, error) { return f.Values, f.Origin, nil },
		}
		if s.Get(k, &f) {
			return made, nil
		}
		asked, err := e.start(threads)
		if err != nil {
			return nil, err
		}
		made.time = func(calls int) (float64, error) {
			if f.Seconds, err = asked.time(calls); err != nil {
				return 0, err
			}
			if f.Values, f.Origin, err = asked.result(); err != nil {
				return 0, err
			}
			return f.Seconds, s.Put(k, f)
		}
		made.close = asked.end
		return made, nil
	}}
}

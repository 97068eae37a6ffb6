package onbeam

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// A worker decodes what every binary has registered in init.
func init() {
	beam.RegisterType(reflect.TypeFor[question]())
	register.DoFn2x2[context.Context, question, question, error](&choose{})
	register.DoFn3x1[context.Context, int, question, error](&try{})
}

// question is what workers are told of a study.
type question struct {
	Study []byte // as compare.Study.Save writes it
	Data  []byte // its data.Dataset, as registry.MarshalValue writes it
	Store string // a folder that workers share, or an address
	Keys  string // what the keys of its results begin with: the code, the linear algebra, the study
}

// choose makes the choice of a study that makes it once, and hands the study on, to all splits.
type choose struct{}

// ProcessElement runs compare.Choice.
func (choose) ProcessElement(ctx context.Context, q question) (question, error) {
	return q, q.run(ctx, compare.Choice)
}

// try runs a split of a study.
type try struct{}

// ProcessElement runs the split of this number.
func (try) ProcessElement(ctx context.Context, split int, q question) error {
	return q.run(ctx, compare.Unit(split))
}

// Study returns the table of s. What is not in the store yet is run on Beam; see the package for the store, and
// beam.Init, which the program calls first. The end of ctx is not an error: the table has what was finished, and is
// marked as stopped. With an error too there is the table of what is kept, if it can be read.
func Study(ctx context.Context, s *compare.Study, store string) (*compare.Table, error) {
	var table *compare.Table
	err := at(context.WithoutCancel(ctx), store, "*", func(folder string) (err error) {
		table, err = inFolder(ctx, s, store, folder)
		return err
	})
	return table, err
}

// inFolder is Study; folder is the store, or has what is at its address.
func inFolder(ctx context.Context, s *compare.Study, address, folder string) (*compare.Table, error) {
	local := *s
	local.Store = folder
	whole := context.WithoutCancel(ctx) // what is there is read to the end
	left, err := local.Pending(whole, s.Units())
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		q, err := ask(s, address)
		if err != nil {
			return nil, err
		}
		err = run(ctx, q.pipeline(left))
		if remote(address) {
			err = errors.Join(err, fetch(whole, address, "*", folder))
		}
		table, still, kept := local.StoredTable(whole)
		if err = errors.Join(err, kept); err == nil && len(still) > 0 && ctx.Err() == nil {
			err = fmt.Errorf("onbeam: the pipeline is done, and %d of %d units are not in %s", len(still),
				len(s.Units()), address)
		}
		return table, err
	}
	table, _, err := local.StoredTable(whole)
	return table, err
}

// ask is the question that s is.
func ask(s *compare.Study, address string) (q question, err error) {
	dir, err := os.MkdirTemp("", "onbeam")
	if err != nil {
		return q, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "study.json")
	if err := s.Save(path); err != nil {
		return q, err
	}
	if q.Study, err = os.ReadFile(path); err != nil {
		return q, err
	}
	if q.Data, err = registry.MarshalValue(*s.Data); err != nil {
		return q, err
	}
	if q.Store, err = absolute(address); err != nil {
		return q, err
	}
	q.Keys, err = keys(s)
	return q, err
}

// keys is a key of the code, the linear algebra and s.
func keys(s *compare.Study) (string, error) {
	c := *s
	c.Data, c.Workers, c.Store = nil, 0, ""
	return store.Key("onbeam", linalg.Backend().ID(), s.Data.Digest(), c)
}

// pipeline runs units: the choice before the splits, where it is among them.
func (q question) pipeline(units []compare.Unit) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	asked := beam.Create(s, q)
	if units[0] == compare.Choice {
		asked, units = beam.ParDo(s, &choose{}, asked), units[1:]
	}
	splits := make([]int, len(units))
	for i, u := range units {
		splits[i] = int(u)
	}
	if len(splits) > 0 {
		each := beam.Reshuffle(s, beam.CreateList(s, splits)) // else the runner fuses, and one worker gets all
		beam.ParDo0(s, &try{}, each, beam.SideInput{Input: asked})
	}
	return p
}

// errOther is what a worker says whose results nobody would find.
var errOther = errors.New("this worker would keep results under other keys than the program that submits looks for: " +
	"it is another program, or computes with other linear algebra; a program without its sources must be the same, " +
	"byte for byte, and built with -trimpath")

// load is the study that q was made of.
func (q question) load() (*compare.Study, error) {
	d := new(data.Dataset)
	if err := registry.UnmarshalValue(q.Data, d); err != nil {
		return nil, err
	}
	s, err := compare.Load(bytes.NewReader(q.Study), d)
	if err != nil {
		return nil, err
	}
	if k, err := keys(s); err != nil || k != q.Keys {
		return nil, errors.Join(errOther, err)
	}
	return s, nil
}

// run runs a unit into the store.
func (q question) run(ctx context.Context, u compare.Unit) error {
	return element(ctx, u.String(), func(ctx context.Context) error {
		s, err := q.load()
		if err != nil {
			return err
		}
		pattern := "" // of what is at an address, a split needs the choice
		if s.Selection.Once {
			pattern = "*"
		}
		return at(ctx, q.Store, pattern, func(folder string) error {
			s.Store = folder
			t, err := s.RunUnits(ctx, []compare.Unit{u}, nil)
			if err != nil || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			left, err := s.Pending(ctx, []compare.Unit{u})
			if err == nil && len(left) > 0 {
				err = fmt.Errorf("computed, and not kept in %s. %s", q.Store, strings.Join(t.Notes, " "))
			}
			return err
		})
	})
}

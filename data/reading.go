package data

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/internal/sheet"
)

// datasetBuilder is a dataset under construction. All formats share its last steps: labels, selected features,
// duplicates.
type datasetBuilder struct {
	Dataset
	o         *job
	targets   []*target // the label or several targets; empty if unlabeled
	labelFile string    // file of the labels, if it is not the file of the points; otherwise ""
	notes     []string  // notes for Dataset.Preparation
}

// finishDataset returns the dataset with labels, classes and notes. It drops duplicates if Options.DropDuplicates is
// set, and validates the result. The cost is O(nd) for n points with d features.
func (r *datasetBuilder) finishDataset() (*Dataset, error) {
	dataset := r.Dataset // a copy, so that the cells of the file can be freed
	d := &dataset
	d.Name = r.o.Name
	for k, t := range r.targets {
		y, classes, err := t.encodeLabels()
		if err != nil {
			if r.labelFile != "" {
				err = fmt.Errorf("%s: %w", r.labelFile, err)
			}
			return nil, err
		}
		if k > 0 {
			d.ExtraTargets = append(d.ExtraTargets, Target{t.name, y})
			continue
		}
		d.Y, d.Classes, d.ClassesExchanged, d.Target = y, classes, t.classesExchanged, t.name
		if t.warning != "" {
			d.Doubts = append(d.Doubts, t.warning)
		}
	}
	d.LogTargets = r.o.LogTargets && d.Y != nil
	if d.Encoding != nil {
		d.Encoding.Classes = d.Classes
	}
	if r.o.training != nil {
		if err := r.o.training.dropUnselectedFeatures(d); err != nil {
			return nil, err
		}
	} else if d.Kernels == nil && d.Similarities == nil { // the points of matrices are indices, which all differ
		r.noteOrDropDuplicatePoints(d)
	}
	if x, err := points.As[points.Rows](d.X); err == nil {
		if i, _ := sheet.FirstDuplicate(x.Names); i >= 0 {
			return nil, fmt.Errorf("two features would be named %s: rename a column or a value",
				sheet.Quote(x.Names[i]))
		}
	}
	d.Preparation = strings.Join(r.notes, "; ")
	err := d.checkContent()
	if err == nil && r.o.training == nil {
		err = d.validate()
	}
	return d, err
}

// noteOrDropDuplicatePoints finds the points of d that equal an earlier one, label, group and Options.Key included. It
// drops them if Options.DropDuplicates is set, and adds a note on their number.
func (r *datasetBuilder) noteOrDropDuplicatePoints(d *Dataset) {
	n := d.Len()
	keptRows := make([]int, 0, n)
	isSeen := make(map[string]bool, n)
	appendKey, key := d.newPointKey(), []byte(nil)
	if appendKey == nil { // no features
		return
	}
	for i := range n {
		key = appendKey(key[:0], i)
		if d.Y != nil {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(d.Y[i]+0)) // 0 and −0 are equal
		}
		for _, t := range d.ExtraTargets {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(t.Y[i]+0))
		}
		if d.Group != nil {
			key = append(append(key, 0), d.Group[i]...)
		}
		if r.o.Key != "" {
			key = append(append(key, 0), d.Keys[i]...)
		}
		if !isSeen[string(key)] {
			isSeen[string(key)], keptRows = true, append(keptRows, i)
		}
	}
	duplicates := n - len(keptRows)
	if duplicates == 0 {
		return
	}
	note := sheet.Count(duplicates, "duplicate point") + " kept"
	if r.o.DropDuplicates {
		note = sheet.Count(duplicates, "duplicate point") + " left out"
		d.X = d.X.Slice(keptRows)
		d.copyTargetsFrom(d, keptRows)
		d.Group, d.Keys = points.Pick(d.Group, keptRows), points.Pick(d.Keys, keptRows)
		d.DroppedPoints += duplicates
	}
	r.notes = append(r.notes, note)
}

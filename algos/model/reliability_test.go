package model_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/testenv"
)

// Two classes give one prediction for each point, three give three. A probability of 1 is in the last bin.
func TestReliability(t *testing.T) {
	two := [][]float64{{0.9, 0.1}, {0.75, 0.25}, {0.25, 0.75}, {0, 1}}
	want := []model.ReliabilityBin{{2, 0.175, 0.5}, {2, 0.875, 1}}
	if got := model.Reliability(two, []int{0, 1, 1, 1}, nil, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	three := [][]float64{{0.5, 0.25, 0.25}, {0, 0, 1}}
	want = []model.ReliabilityBin{{4, 0.125, 0}, {1, 0.5, 1}, {1, 1, 1}}
	if got := model.Reliability(three, []int{0, 2}, nil, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A point with the weight 3 counts as three points in the mean and in the share.
func TestReliabilityWeights(t *testing.T) {
	got := model.Reliability([][]float64{{0.75, 0.25}, {0.5, 0.5}}, []int{1, 0}, []float64{3, 1}, 1)
	if want := []model.ReliabilityBin{{2, (3*0.25 + 0.5) / 4, 0.75}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Arguments that make no sense panic with a message of this package.
func TestReliabilityPanics(t *testing.T) {
	good := [][]float64{{0.5, 0.5}}
	for name, call := range map[string]func(){
		"no bins":               func() { model.Reliability(good, []int{0}, nil, 0) },
		"bins < 0":              func() { model.Reliability(good, []int{0}, nil, -1) },
		"no class":              func() { model.Reliability(good, nil, nil, 2) },
		"weights":               func() { model.Reliability(good, []int{0}, []float64{1, 2}, 2) },
		"class 2 of 0, 1":       func() { model.Reliability(good, []int{2}, nil, 2) },
		"class −1":              func() { model.Reliability(good, []int{-1}, nil, 2) },
		"NaN":                   func() { model.Reliability([][]float64{{0, math.NaN()}}, []int{0}, nil, 2) },
		"probability < 0":       func() { model.Reliability([][]float64{{1.25, -0.25}}, []int{0}, nil, 2) },
		"probability > 1":       func() { model.Reliability([][]float64{{0, 1.2}}, []int{0}, nil, 2) },
		"first probability NaN": func() { model.Reliability([][]float64{{math.NaN(), 1}}, []int{0}, nil, 2) },
	} {
		if s, ok := testenv.Panic(call).(string); !ok || !strings.HasPrefix(s, "model: Reliability") {
			t.Errorf("%s: %q", name, s)
		}
	}
}

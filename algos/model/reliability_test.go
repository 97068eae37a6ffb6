package model_test

import (
	"reflect"
	"testing"

	"github.com/mklnb/mkl/algos/model"
)

// Two classes give one prediction for each point, three give three. A probability of 1 is in the last bin.
func TestReliability(t *testing.T) {
	two := [][]float64{{0.9, 0.1}, {0.75, 0.25}, {0.25, 0.75}, {0, 1}}
	want := []model.ReliabilityBin{{2, 0.175, 0.5}, {2, 0.875, 1}}
	if got := model.Reliability(two, []int{0, 1, 1, 1}, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	three := [][]float64{{0.5, 0.25, 0.25}, {0, 0, 1}}
	want = []model.ReliabilityBin{{4, 0.125, 0}, {1, 0.5, 1}, {1, 1, 1}}
	if got := model.Reliability(three, []int{0, 2}, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

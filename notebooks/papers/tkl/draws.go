package tkl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// Sets lists the names of the sets of each experiment.
var Sets = map[string][]string{
	"classes":  {"breast-wisconsin", "pima", "ionosphere", "liver-bupa", "heart-statlog", "sonar"},
	"bounds":   {"pima", "heart-statlog", "ionosphere", "sonar"},
	"truths":   {"step", "corner", "checkerboard", "circle"},
	"arm":      {"kin-8nm", "simulated arm"},
	"paper":    {"breast-wisconsin", "pima", "ionosphere", "liver-bupa", "heart-statlog", "sonar"},
	"small":    {"ionosphere", "sonar"},
	"minimum":  {"ionosphere", "sonar"},
	"identity": {"breast-wisconsin", "pima", "ionosphere", "liver-bupa", "heart-statlog", "sonar"},
}

// newPaperMethods returns the methods of an experiment in the paper's metric (see NewDraw).
func newPaperMethods(experiment string, featureCount int) []Method {
	bounds, fallback := Bounds, mkl.Solver(nil)
	if experiment != "paper" {
		bounds, fallback = slices.Concat(SmallBounds, Bounds), mkl.FrankWolfe{}
	}
	var families []kernel.Family
	for _, b := range bounds {
		families = append(families, tessellated.Family{Degree: 1, BoxMargin: b, UnitMeanDiagonal: true})
	}
	fixed := Method{Name: "degree 1, P = I", Families: families, Set: set.Spectraplex{}, Rule: mkl.Uniform{}}
	learned := Method{Name: "degree 1, learned", Families: families, Set: set.Spectraplex{},
		Solver: mkl.FrankWolfe{ExactLineSearch: true}, Fallback: fallback}
	shuffled := Method{Name: "degree 1, shuffled", Families: families, Set: set.Spectraplex{}, Shuffled: true}
	switch experiment {
	case "identity":
		return []Method{fixed}
	case "small":
		return []Method{fixed, learned, shuffled}
	case "minimum":
		minimum := Method{Name: "minimum, learned", Families: families, Set: set.Spectraplex{}, Minimum: true}
		ofShuffled := minimum
		ofShuffled.Name, ofShuffled.Shuffled = "minimum, shuffled", true
		return []Method{minimum, ofShuffled}
	}
	return []Method{fixed, learned, shuffled, NewMethods(featureCount)[UniformDegree1], newSimpleMKL(featureCount)}
}

// NewDraw returns an experiment on one of its Sets for one seed:
//
//	classes  every method; 2 stratified splits of 80 and 20 %
//	bounds   tessellated degree 0, one method for each box bound in Bounds; 3 splits of at most 300 points
//	truths   Gaussian, Degree0, LearnedDegree1 and ShuffledDegree1; one split of points of a known function (see
//	         SimulateDataset)
//	paper    degree 1 in the paper's metric: P = I, a learned P and ShuffledStep; beside them UniformDegree1 of
//	         classes and SimpleMKL; the splits are those of classes
//	identity P = I of paper, with SmallBounds too
//	small    P = I, a learned P and ShuffledStep of paper, with SmallBounds too; where the exact line search stalls,
//	         steps without a search continue
//	minimum  as small, with the P of minimumWithoutCorners: from the true and from shuffled targets
//	arm      the methods of truths and UniformDegree1; 400 training and 400 test points of a robot arm
//
// In the experiment arm, different seeds have different points.
func NewDraw(experiment, setName string, seed uint64) (draw Draw, err error) {
	switch experiment {
	case "classes", "bounds", "paper", "identity", "small", "minimum":
		if draw.Data, err = datasets.Load(setName); err != nil {
			return draw, err
		}
		draw.Ratio = 0.25
		splitCount := 2
		switch experiment {
		case "classes":
			draw.Methods = NewMethods(draw.Data.Dim())
		case "bounds":
			draw.Data, splitCount = shared.Subset(draw.Data, 300), 3
			for _, b := range Bounds {
				families := []kernel.Family{tessellated.Family{BoxMargin: b, UnitMeanDiagonal: true}}
				draw.Methods = append(draw.Methods,
					Method{Name: fmt.Sprint(b), Families: families, Set: set.Spectraplex{}, Rule: optimalPOfDegree0})
			}
		default:
			draw.Methods = newPaperMethods(experiment, draw.Data.Dim())
		}
		draw.setSeed(seed)
		draw.Splits, err = fit.Holdout(draw.Data.Y, 0.2, splitCount, seed)
		return draw, err
	case "truths":
		draw.Data, draw.Epsilon = SimulateDataset(setName, seed), 0.1
	case "arm":
		draw.Epsilon = 0.02
		if setName == "kin-8nm" {
			if draw.Data, err = datasets.Load(setName); err != nil {
				return draw, err
			}
			permutation := rand.New(rand.NewPCG(1, 'k')).Perm(draw.Data.Len())
			draw.Data = shared.SelectRows(draw.Data, permutation[800*(seed-1):800*seed])
		} else {
			draw.Data = datasets.SimulatedArm(800, seed)
		}
		draw.Data.Name = setName
	}
	methods := NewMethods(draw.Data.Dim())
	draw.Methods = []Method{methods[Gaussian], methods[Degree0], methods[LearnedDegree1]}
	if experiment == "arm" {
		draw.Methods = append(draw.Methods, methods[UniformDegree1])
	}
	draw.Methods = append(draw.Methods, methods[ShuffledDegree1])
	n := map[string]int{"step": 100, "corner": 150, "circle": 150, "checkerboard": 300}[setName]
	if n == 0 {
		n = draw.Data.Len() / 2
	}
	var s fit.Split
	for i := range draw.Data.Len() {
		if i < n {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	draw.Splits = []fit.Split{s}
	draw.setSeed(seed)
	return draw, nil
}

// setSeed sets the seed of the draw, and of its methods on the first split.
func (d *Draw) setSeed(seed uint64) {
	d.Seed = seed
	for i := range d.Methods {
		d.Methods[i].Seed = 100 * seed
	}
}

// Step returns x + sin x + 5 sign(x − 5), the curve of the set "step" of the experiment truths.
func Step(x float64) float64 { return x + math.Sin(x) + 5*math.Copysign(1, x-5) }

// The corner of the set "corner" is above (cornerX, cornerY). The circle of the set "circle" has its center at (½, ½).
const cornerX, cornerY, circleRadius = 0.4, 0.5, 0.35

// classFunctions holds functions on the unit square. The sign of a function is the class of a point.
var classFunctions = map[string]func(a, b float64) float64{
	"corner": func(a, b float64) float64 { return min(a-cornerX, b-cornerY) },
	"circle": func(a, b float64) float64 { return math.Hypot(a-0.5, b-0.5) - circleRadius },
	"checkerboard": func(a, b float64) float64 {
		return 1 - 2*float64((int(4*a)+int(4*b))%2)
	},
}

// SimulateDataset returns noisy training points of a function, "step" etc., followed by test points without noise:
//
//   - step: 100 points of Step at random x in [0, 10] with noise of standard deviation ½, then 401 points with evenly
//     spaced x in ascending order,
//   - corner and circle: 150 points of the unit square, each label flipped with probability 0.1, then 2000 to test,
//   - checkerboard with 4×4 fields: 300 random points of the unit square without flipped labels, then 2000 to test.
func SimulateDataset(functionName string, seed uint64) *data.Dataset {
	r := rand.New(rand.NewPCG(seed, uint64(len(functionName))))
	if functionName == "step" {
		x := points.Rows{N: 501, D: 1, Names: []string{"x"}}
		d := &data.Dataset{Name: functionName}
		for i := range 501 {
			v, noise := 10*r.Float64(), 0.5*r.NormFloat64()
			if i >= 100 {
				v, noise = float64(i-100)/40, 0
			}
			x.Data, d.Y = append(x.Data, v), append(d.Y, Step(v)+noise)
		}
		d.X = x
		return d
	}
	n := map[string]int{"corner": 150, "circle": 150, "checkerboard": 300}[functionName]
	x := points.Rows{N: n + 2000, D: 2, Names: []string{"x1", "x2"}}
	d := &data.Dataset{Name: functionName, Classes: []string{"−", "+"}}
	for i := range n + 2000 {
		a, b := r.Float64(), r.Float64()
		v := math.Copysign(1, classFunctions[functionName](a, b))
		if i < n && functionName != "checkerboard" && r.Float64() < 0.1 {
			v = -v
		}
		x.Data, d.Y = append(x.Data, a, b), append(d.Y, v)
	}
	d.X = x
	return d
}

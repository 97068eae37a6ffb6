package loss

// Tuned is a Loss with a constant that is chosen from several values, as λ and C are: a loss is
// then the template of a whole path of them.
type Tuned interface {
	Loss
	// Constant returns the name of the constant, "λ" or "C", and its value.
	Constant() (name string, value float64)
	// WithConstant returns the loss with another value of its constant.
	WithConstant(v float64) Loss
}

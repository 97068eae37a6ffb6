package loss

// SetMaxStored sets the number of values that the rows of a solve may store, and returns the former limit.
func SetMaxStored(n int) (before int) {
	before, maxStored = maxStored, n
	return before
}

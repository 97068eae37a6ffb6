package loss

// SetMost sets how many numbers the rows of a solve may keep, and returns what it was.
func SetMost(n int) (before int) {
	before, most = most, n
	return before
}

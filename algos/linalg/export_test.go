package linalg

// Lent is how many goroutines help now, in the whole program.
func Lent() int { return int(activeHelpers.Load()) }

// PureGo runs f without the library.
func PureGo(f func()) {
	l := library
	library = nil
	defer func() { library = l }()
	f()
}

// Tiled runs f without the library, in the engine for WebAssembly.
func Tiled(f func()) {
	defer func(was bool) { usesTiles = was }(usesTiles)
	usesTiles = true
	PureGo(f)
}

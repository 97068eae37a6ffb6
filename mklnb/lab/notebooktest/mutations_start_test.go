package notebooks

// mutationsStart are those of 00_start_here.
var mutationsStart = []mutation{}

package notebooks

// mutationsTKL are those of 05_tessellated.
var mutationsTKL = []mutation{}

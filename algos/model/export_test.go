package model

// Decode reads what is in a file.
var Decode = decode

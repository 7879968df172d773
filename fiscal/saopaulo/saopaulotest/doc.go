// Package saopaulotest has what the tests of the city of São Paulo share:
// declarations that nothing is wrong with, plain and random ones.
package saopaulotest

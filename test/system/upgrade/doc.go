// Package upgrade goes from the last release to the tree as it is, with a schema that is newer still, and back again,
// process by process and under load, and shows that no request fails and that nothing accepted is lost, doubled or
// stuck. It also brings a database of 1.0.0 into the form of today under load. Its tests need a development stack of
// their own: `make test-long` gives them one.
package upgrade

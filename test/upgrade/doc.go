// Package upgrade goes from the last release to the tree as it is, with a schema that is newer still, and back again,
// process by process and under load, and shows that no request fails and that nothing accepted is lost, doubled or
// stuck. Its test needs a development stack of its own: `make test-long` gives it one.
package upgrade

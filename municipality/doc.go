// Package municipality tells which municipality of Brazil a zip code belongs to.
//
// Municipalities are named by their IBGE codes; the directory of all of them is
// built in. A Resolver looks a zip code up in several sources, in order: answers
// remembered from before, on-line services, imported ranges and built-in ranges.
// Two answers that look alike are kept apart everywhere: Unknown, when every source
// was asked and none knows the zip code, and Unavailable, when some source that may
// know could not be asked. Decide then weighs the answer against the code that a
// caller declared.
package municipality

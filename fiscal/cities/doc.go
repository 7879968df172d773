// Package cities is the table of the cities whose own servers take the declaration of the
// national system (DPS): which they are and from which day, where their servers are, and in
// what they differ. A city is a row of data: what its server speaks is a family, of which the
// program knows a few, and what is particular in it is a quirk of that family, by name.
//
// The table is built in, and replaced whole by a file that an operator imports. It decides
// nothing by itself: a company issues by a city when its fiscal profile says so.
package cities

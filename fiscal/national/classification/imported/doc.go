// Package imported imports the tables of classification: it reads them from the files
// that are published, refuses what is older than what is in force, puts them on record as
// editions, and makes those on record known to a process.
package imported

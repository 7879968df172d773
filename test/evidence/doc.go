// Package evidence holds what the product demands of hosts: a member, a code, a path, a status, a time-out, a signer,
// and of each how it is known and what happens where it is otherwise. The one place is table.tsv; docs/evidence.md is
// written from it:
//
//	# authority
//	## call
//	what	where	demands	evidence	source	otherwise	test
//
// Where is a folder, and behind a colon its files, in which the demands stand; "-" in both is a demand that no text of
// the code says. A demand is a text, the name of a constant, a member of a tag, a status, as demandsOf finds them in
// the sources of the packages that talk to hosts; "*" are all of a folder that writes what a schema describes. Evidence
// is recorded (source names files of test/recorded/answers), official (a file below ../shared, or a standard),
// reported, assumed (with a test which shows that being wrong costs time or an alarm) or ours, which is no demand and
// not in the page.
//
// The tests fail for a demand without a row, for a row without its demand, and for a recorded row without its file.
// That tests exist which the page names, test/rooms sees to.
package evidence

// Package drift notices answers of tax authorities in forms that the product was not told of. It warns, and changes
// nothing: no note waits for it, fails by it or becomes another.
//
//	mtls has an answer ─► Watch: which of its members does no row of known.tsv name? ─► none: that is all
//	                        │ some, not seen by this process yet
//	                        ▼ a queue of few, and one that writes
//	                      Anonymised: a copy of the same structure without its values ─► Keep (package store), once
//	                        ▼ where a person has it judged
//	                      Export: a file for test/recorded, whose shapes known.tsv has to name
//
// The shape of an answer are its status with its media type, and its members: in JSON as "$.erros[].Codigo text", in
// XML by local names as "/Envelope/Body/@id text", with & before what came escaped as a text. What is new of it is what
// no answer to that call of that family of servers had before; that a member is missing is never new. Documents within
// an answer have layouts of their own, of which each member may be missing: they are one member.
//
// What comes in is untrusted and full of personal data, so that a copy begins with every letter and digit replaced, and
// only what is known gets its own back: see copy.go. `go test ./test/recorded -run TestShapes -update` adds the shapes
// of recordings, and of what the simulators answer, to known.tsv; its other rows are of the authorities' documents.
package drift

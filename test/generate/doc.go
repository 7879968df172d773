// Package generate makes the texts and requests of tests, of chaos, of the
// measurements and of the demonstration: what callers usually send, and what is
// rare, but all of it valid by the contract. Test data that is written by hand
// seldom has unusual characters; this package's has.
//
// Everything comes from a seed, so that a run can be repeated:
//
//	g := generate.New(42)
//	g.Reference()                     // "Nota nº 1", "✓ 漢字", "%2F%00", 200 × "𝔄", each only once
//	g.Name()                          // "João D'Ávila", "<b>Müller</b>", one character, or 150
//	g.Issuance(serviceID, g.Person()) // the body of POST /v1/nfse, with some optional fields and without others
//
// Where texts must not make a difference, as in measurements, UsualReference and
// UsualName give those of most callers, by a number.
//
// The kinds of texts are listed in kinds.go. A length is counted as the contract
// counts it: an é is one character, composed or not.
package generate

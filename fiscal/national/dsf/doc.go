// Package dsf is the protocol of the family DSF, by which the servers of some cities take the
// national declaration: the national JSON over REST, at the city's own host. It says in what such
// a server differs from SEFIN Nacional, and what the codes that it alone has mean.
//
// Nothing of it was tried against a real host by Emissor: what is known comes from the cities'
// guides and from others' reports, and each doubt is a quirk of the city's row.
package dsf

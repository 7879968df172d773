// Package classification holds the tables by which a service is classified for
// IBS and CBS, and decides by them whether a classification can be sent.
//
// The codes, flags and dates of CST, cClassTrib, cIndOp and cNBS are built in. An
// imported Edition of a table takes its place from a day on, so that a note is
// checked by what is in force on its day of competence:
//
//	tables := source.Editions().On("2026-11-22")
//	defect := tables.Defect(classification, nationalTaxCode)
//
// Package published, below, reads the files that the authorities publish.
package classification

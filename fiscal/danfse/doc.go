// Package danfse draws the DANFSe, the printed form of an NFS-e, as a PDF of one
// page: from the XML of the note and the events registered of it, by NT 008
// (version 1.02) of the national system.
//
// Draw writes the page; Read returns what it says, for a screen, and Declared the same of
// a note that has no such document (sheet.go). Inside, read makes fields out of the XML
// (xml.go), blocks.go and the files that it refers to say what each cell of the official
// model shows, place puts the cells on a page (layout.go, page.go), and paint writes the
// page as PDF (paint.go). A page is plain data until then.
//
// Two rules of NT 008 contradict each other in places: the model page of its
// Annex I is mandatory, the coordinates of its table 2.4.5 are suggested. Where
// they differ, the model is followed. NT 008 names Arial and MS Sans Serif; the
// page uses Helvetica, whose widths are Arial's and which every reader of PDF
// has, so no font is embedded.
//
// The same input gives the same bytes. A note of the sandbox, whose XML comes from package simulation, is drawn as
// well, and marked across the page as a simulation.
package danfse

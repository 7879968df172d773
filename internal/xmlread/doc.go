// Package xmlread reads XML from outside. What a document would cost is counted
// before anything is built of it: a few hundred bytes, compressed, can hold millions
// of elements. No fiscal document comes near the bounds, and they are the same for
// every reader: of answers, of signatures, and of what is printed. What is no fiscal
// document and longer, as the sheet of a workbook, is gone through with Stream.
//
// The entities of a document type are not resolved: a document that uses them is not
// read.
package xmlread

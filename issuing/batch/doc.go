// Package batch reads and checks spreadsheets of notes to issue: CSV as spreadsheets of Brazil and other countries
// write it, and XLSX. A file is checked whole by the rules of package catalogue, before anything of it is accepted;
// what is wrong is said by line and column. What it accepts is bounded: MaxBytes, MaxLines, and no formulas. Files
// that ask for the same notes in the same order are the same table, even if their bytes differ, as programs write
// others whenever they save: it issues once in a month, which its days of competence say, or the person who accepts
// it.
//
// Workbooks are read step by step and not by a library, which keeps rows whole: a few bytes of them can
// stand for more than the memory.
package batch

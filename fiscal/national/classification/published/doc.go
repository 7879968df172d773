// Package published reads the tables of classification as the authorities publish
// them: the workbooks of cClassTrib, cCredPres and of the Annexes B, C, VII and
// VIII, and the same tables as text with columns separated by tabs.
//
// Sheets are found by the beginning of their names and columns by their headers,
// because editions move both. It is linked with a library for spreadsheets, which
// only the command that imports needs.
package published

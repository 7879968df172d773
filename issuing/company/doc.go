// Package company decides what is kept of how an organization issues: its fiscal
// profile, the numbers of its series and its certificates. The pages and the
// commands are doors to it.
//
// Errors are *nfse.Error with the names of the profile's fields, or password and
// certificate, which the door translates to its own. Their messages read after the
// name of the field.
package company

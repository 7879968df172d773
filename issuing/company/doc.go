// Package company decides what is stored of how an organization issues: its fiscal
// profile, the numbers of its series and its certificates. The dashboard and the
// commands call it.
//
// Errors are *nfse.Error with the names of the profile's fields, or password and
// certificate, which the caller translates to its own. Their messages read after the
// name of the field.
package company

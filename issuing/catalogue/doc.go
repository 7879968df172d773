// Package catalogue decides what is kept of services and customers, in which
// municipality a customer is, and whether a note is accepted. It knows neither
// HTTP nor JSON: the API, the pages and the commands are doors to it.
//
// Each field has one rule, in fields.go. The functions of Catalogue take plain
// values and pass each through its rule, so nothing wrong is kept whatever the
// door. A door that has errors of its own beside them (the API: "must be a
// string") calls the same rules while it reads, to name the first wrong field
// of all or every one; that second look costs microseconds and agrees.
//
// Errors are *nfse.Error with neutral field names, as address.zip_code, which
// the door translates to its own. The message of an invalid_request reads after
// the name of the field: "must be ...".
package catalogue

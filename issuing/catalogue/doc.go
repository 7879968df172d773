// Package catalogue decides what is stored of services and customers, in which
// municipality a customer is, and whether a note is accepted. It knows neither
// HTTP nor JSON: the API, the dashboard and the commands call it.
//
// Each field has one rule, in fields.go. The functions of Catalogue take plain values and pass each through its rule,
// so nothing wrong is stored, no matter which caller it comes from. A caller that has errors of its own beside them
// (the API: "must be a string") calls the same rules while it reads, to name the first wrong field of all or every
// one; that second check costs microseconds and agrees with the first.
//
// Errors are *nfse.Error with neutral field names, as address.zip_code, which the
// caller translates to its own. The message of an invalid_request reads after the
// name of the field: "must be ...".
package catalogue

// Package national is the national NFS-e system (SEFIN Nacional): the DPS and
// the requests to cancel as its schemas want them, its rules, and the client
// that speaks to it.
package national

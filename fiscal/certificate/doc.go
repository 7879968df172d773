// Package certificate reads A1 certificates of ICP-Brasil: an organization's RSA
// key and chain, as they come in a PFX file, whom they name, and whether an
// authority can be expected to take them. Nothing here prints or logs a key.
package certificate

package schema

import "regexp"

var nfeKeyForm = regexp.MustCompile(`^[0-9]{6}[0-9A-Z]{14}[0-9]{24}$`)

// ValidNFeKey reports whether a text is the access key of an NF-e: its form, and its check
// digit, which is computed as that of an NFS-e.
func ValidNFeKey(key string) bool {
	return nfeKeyForm.MatchString(key) && CheckDigit(key[:43]) == key[43]
}

// keyForm is the schema's form of access keys of NFS-e.
var keyForm = regexp.MustCompile(`^[0-9]{6}[0-9A-Z]{14}[0-9]{30}$`)

// SchemaTakesKey reports whether the official schema's type (TSChaveNFSe) takes an access key:
// it does not take every right one.
func SchemaTakesKey(key string) bool { return keyForm.MatchString(key) }

package nfse

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// VersionOf names the content of a record, as an ETag does. A change of a record names the
// version that it was made from, and is refused when the record has another by now.
func VersionOf(record any) string {
	content, err := json.Marshal(record)
	if err != nil {
		panic("nfse: a record cannot be written as JSON: " + err.Error()) // no type of this package
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:12])
}

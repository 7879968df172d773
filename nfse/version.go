package nfse

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// VersionOf names the content of a record, as an ETag does. Who changes a record says
// which version they saw; of another one by now the change is refused.
func VersionOf(record any) string {
	content, err := json.Marshal(record)
	if err != nil {
		panic("nfse: a record cannot be written as JSON: " + err.Error()) // of the types of this package none
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:12])
}

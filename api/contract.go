package api

import (
	"crypto/sha256"
	_ "embed" // the contract texts
	"encoding/hex"
	"net/http"
	"time"
)

// contractText is the contract as a text for developers and language models.
//
//go:embed llms-full.txt
var contractText []byte

// OpenAPI describes the same operations for machines.
//
//go:embed openapi.yaml
var OpenAPI []byte

// When the text last changed, and a digest of that moment and the text: a test
// fails when one changes without the other, and prints what to write here.
var contractModified = time.Date(2026, time.November, 23, 6, 29, 36, 0, time.UTC)

const contractDigest = "89c44dbad27e33ee50de9386c42d56c1b692af7533b3d7c7204ec206c1f3ede9"

func serveContract(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", etag(contractText))
	serveWhole(w, r, contractModified, contractText)
}

// etag is a strong validator: it changes with any byte.
func etag(content []byte) string {
	return `"` + digest(content) + `"`
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

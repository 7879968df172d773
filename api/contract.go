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
var contractModified = time.Date(2026, time.November, 30, 8, 31, 27, 0, time.UTC)

const contractDigest = "8fcef31563b400311e995e23d94174c40d27c20181736cb5f5fabebf9fcf6074"

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

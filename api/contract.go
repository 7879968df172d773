package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the contract texts
	"encoding/hex"
	"net/http"
	"time"
)

// contractText is the contract as developers and language models read it.
//
//go:embed llms-full.txt
var contractText []byte

// OpenAPI describes the same operations to machines.
//
//go:embed openapi.yaml
var OpenAPI []byte

// When the text last changed, and the digest it had then: a test fails when
// one changes without the other.
var contractModified = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

const contractDigest = "c90451c22914aa78eac2721daa48d21aa0d77f2222672a0b92b2a07b514f6df2"

func serveContract(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", etag(contractText))
	http.ServeContent(w, r, "", contractModified, bytes.NewReader(contractText))
}

// etag is a strong validator: it changes with any byte.
func etag(content []byte) string {
	return `"` + digest(content) + `"`
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

package api

import (
	"bytes"
	"net/http"
	"time"
)

// serveWhole answers with content that has an ETag: all of it, or 304 to a
// caller that has it already. The other conditions that HTTP knows are ignored:
// their answers, 206, 412 and 416, are not in the contract.
func serveWhole(w http.ResponseWriter, r *http.Request, modified time.Time, content []byte) {
	for _, name := range []string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(name)
	}
	http.ServeContent(w, r, "", modified, bytes.NewReader(content))
}

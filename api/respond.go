package api

import (
	"bytes"
	"net/http"
	"time"
)

// serveWhole answers with content that has an ETag: all of it, or 304 to a
// caller that has it already. The other conditions that HTTP knows are ignored:
// their answers, 206, 412 and 416, are not in the contract, which the answer says.
func serveWhole(w http.ResponseWriter, r *http.Request, modified time.Time, content []byte) {
	for _, name := range []string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(name)
	}
	http.ServeContent(whole{w}, r, "", modified, bytes.NewReader(content))
}

// whole says that no parts are offered, where http.ServeContent has said that they are.
type whole struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w whole) WriteHeader(status int) {
	w.Header().Set("Accept-Ranges", "none")
	w.ResponseWriter.WriteHeader(status)
}

package dashboard

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// compressedKinds are the kinds of answers that become smaller. PDF, XLSX and ZIP are
// compressed already.
var compressedKinds = []string{"text/html", "text/css", "text/javascript", "text/csv", "text/xml", "application/xml",
	"application/json", "application/yaml", "image/svg+xml"}

// compressedFrom is the smallest answer that is compressed, in bytes.
const compressedFrom = 1024

// paddingMost bounds the random padding of a compressed answer, in bytes.
const paddingMost = 64

// compressed compresses answers for browsers that take gzip. The length of a compressed page tells about its content
// to anybody who can add to the content and see the length (BREACH): each gets a padding that depends on the content,
// and a page with a secret is not compressed at all (uncompressed).
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.MinSize(compressedFrom),
		gzhttp.ContentTypes(compressedKinds), gzhttp.RandomJitter(paddingMost, 0, false))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(next)
}

package frame

import (
	"errors"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"emissor/issuing/batch"
)

// MaxBody bounds what a form may send.
const MaxBody = 64 << 10

// MaxSheetBody bounds a form with a spreadsheet, likewise.
const MaxSheetBody = batch.MaxBytes + MaxBody

// sheetUpload is how long a spreadsheet may take to arrive.
const sheetUpload = time.Minute

// ErrAnswered says that the request was answered before its page was called.
var ErrAnswered = errors.New("dashboard: answered")

// Uncompressed keeps this answer from being compressed: it has a secret, or text with which
// somebody signs in.
func (r *Request) Uncompressed() { r.W.Header().Set(gzhttp.HeaderNoCompression, "yes") }

// Secure reports whether people reach the dashboard over TLS.
func (d *Dashboard) Secure() bool { return d.URL.Scheme == "https" }

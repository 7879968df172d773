package cities

import (
	"crypto/tls"
	"maps"
	"slices"
)

// tlsWords are the values of the quirk TLS. There is no renegotiation in TLS 1.3.
var tlsWords = map[string]struct {
	most          uint16
	renegotiation tls.RenegotiationSupport
}{
	"1.3":        {tls.VersionTLS13, tls.RenegotiateNever},
	"1.2":        {tls.VersionTLS12, tls.RenegotiateNever},
	"1.2-once":   {tls.VersionTLS12, tls.RenegotiateOnceAsClient},
	"1.2-freely": {tls.VersionTLS12, tls.RenegotiateFreelyAsClient},
}

// TLSOf is the highest version, and whether the server may renegotiate, by a value of TLS.
func TLSOf(word string) (most uint16, renegotiation tls.RenegotiationSupport) {
	found := tlsWords[word]
	return found.most, found.renegotiation
}

var isTLS = OneOf(slices.Sorted(maps.Keys(tlsWords))...)

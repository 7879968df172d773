package cli

import (
	"crypto/tls"
	"testing"
)

// A server may renegotiate without TLS 1.3 only, where it is let; auto leaves both to each authority.
func TestAuthorityTLS_Words(t *testing.T) {
	for word, expected := range map[string]AuthorityTLS{
		"auto":       {},
		"1.3":        {most: tls.VersionTLS13, renegotiation: tls.RenegotiateNever},
		"1.2":        {most: tls.VersionTLS12, renegotiation: tls.RenegotiateNever},
		"1.2-once":   {most: tls.VersionTLS12, renegotiation: tls.RenegotiateOnceAsClient},
		"1.2-freely": {most: tls.VersionTLS12, renegotiation: tls.RenegotiateFreelyAsClient},
	} {
		var read AuthorityTLS
		if err := read.Decode(word); err != nil || read != expected {
			t.Errorf("%s is %+v, %v", word, read, err)
		}
	}
}

package packed

import "bytes"

// mostCertificates bounds what is taken of a document into its dictionary, in bytes.
const mostCertificates = 32 << 10

// Certificates are the texts of the certificates in a signed document, one after the other. The certificates of an
// issuer stand in each of its documents, so few are different.
func Certificates(document []byte) []byte {
	var found []byte
	for {
		_, rest, ok := bytes.Cut(document, []byte("X509Certificate>"))
		if !ok {
			return found
		}
		text, after, ok := bytes.Cut(rest, []byte("<"))
		if !ok || len(found)+len(text) > mostCertificates {
			return found
		}
		found = append(found, text...)
		_, document, _ = bytes.Cut(after, []byte(">"))
	}
}

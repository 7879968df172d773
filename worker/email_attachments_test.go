package worker_test

import (
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
)

// opened is an e-mail as its reader's program shows it.
type opened struct {
	subject, text string
	xml, pdf      []byte // nil where there is none
}

// attachments opens an e-mail.
func attachments(t *testing.T, raw string) (o opened) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	message, err := mail.ReadMessage(strings.NewReader(raw))
	must(err)
	o.subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	must(err)
	_, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	must(err)
	parts := multipart.NewReader(message.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return o
		}
		must(err)
		kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		must(err)
		var content io.Reader = base64.NewDecoder(base64.StdEncoding, part)
		if kind == "text/plain" {
			content = quotedprintable.NewReader(part)
		}
		decoded, err := io.ReadAll(content)
		must(err)
		switch kind {
		case "text/plain":
			o.text = string(decoded)
		case "application/xml":
			o.xml = decoded
		case "application/pdf":
			o.pdf = decoded
		default:
			t.Errorf("a part is %s", kind)
		}
	}
}

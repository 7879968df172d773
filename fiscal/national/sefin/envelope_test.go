package sefin

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/nationaltest"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
	"emissor/test/long"
)

func TestUnpack(t *testing.T) {
	zipped, err := base64.StdEncoding.DecodeString(packed("<a>ação</a>"))
	if err != nil {
		t.Fatal(err)
	}
	twice := base64.StdEncoding.EncodeToString([]byte(packed("<a>ação</a>")))
	for name, text := range map[string]string{
		"once":         packed("<a>ação</a>"),
		"twice":        twice,
		"broken lines": packed("<a>ação</a>")[:8] + "\r\n" + packed("<a>ação</a>")[8:] + "\n",
		"no padding":   strings.TrimRight(packed("<a>ação</a>"), "="),
		"bytes behind": base64.StdEncoding.EncodeToString(append(bytes.Clone(zipped), "\x00\x00garbage"...)),
		"two gzip streams": base64.StdEncoding.EncodeToString(append(mustDecode(packed("<a>a")),
			mustDecode(packed("ção</a>"))...)),
	} {
		if document, err := unpack(text); err != nil || string(document) != "<a>ação</a>" {
			t.Errorf("%s: %q, %v", name, document, err)
		}
	}
	if _, err := unpack(base64.StdEncoding.EncodeToString([]byte(twice))); err == nil {
		t.Error("base64 is peeled three times")
	}
}

// A message is sent in standard base64 (rule E1225), and what is sent gives it
// back byte for byte.
func TestPack(t *testing.T) {
	t.Parallel()
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	for i := range long.Cases(400, 100) {
		message, err := dps.Signer{}.SignDeclaration(drawn.Example(i), nationaltest.Credentials(t), nationaltest.At)
		if err != nil {
			t.Fatal(err)
		}
		body, err := pack("document", message.XML)
		var sent map[string]string
		if err != nil || json.Unmarshal(body, &sent) != nil {
			t.Fatalf("%v: %s", err, body)
		}
		text := base64.NewDecoder(base64.StdEncoding.Strict(), strings.NewReader(sent["document"]))
		zipped, err := gzip.NewReader(text)
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := io.ReadAll(zipped); err != nil || !bytes.Equal(plain, message.XML) {
			t.Fatalf("%v\n%s", err, message.XML)
		}
		if back, err := unpack(sent["document"]); err != nil || !bytes.Equal(back, message.XML) {
			t.Fatalf("%v\n%s", err, message.XML)
		}
	}
}

func TestDecompress_Limit(t *testing.T) {
	limits := []int{1 << 20}
	if long.Asked() {
		limits = append(limits, maxDocument)
		packed := base64.StdEncoding.EncodeToString(zeros(maxDocument + 1))
		answer := sent(t, answered(201, issuedWith(`"nfseXmlGZipB64":"`+packed+`"`)))
		expect(t, "larger than any document", answer, accepted,
			fact.SefinDocumentUnread.With("why", fact.DocumentTooLarge.With("mib", 1)))
	}
	for _, limit := range limits {
		half := zeros(limit / 2)
		if document, err := decompress(bytes.Repeat(half, 2), limit); err != nil || len(document) != limit {
			t.Errorf("as large as it may be: %d bytes, %v", len(document), err)
		}
		for name, packed := range map[string][]byte{
			"in one stream": zeros(limit + 1), "in several streams": bytes.Repeat(half, 3),
		} {
			if _, err := decompress(packed, limit); err != xmlread.ErrTooLarge {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// zeros is a small gzip stream that becomes so many bytes.
func zeros(count int) []byte {
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	for piece := make([]byte, 1<<20); count > 0; count -= len(piece) {
		writer.Write(piece[:min(count, len(piece))])
	}
	writer.Close()
	return zipped.Bytes()
}

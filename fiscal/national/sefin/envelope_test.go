package sefin

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
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

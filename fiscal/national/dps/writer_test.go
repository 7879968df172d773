package dps

import (
	"encoding/xml"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWriter_Escapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ -~\x{a0}-\x{ff}]|[&<>"'\r\n\]])*`).Draw(t, "text")
		var w writer
		w.element("x", text)
		var read string
		if err := xml.Unmarshal(w.text, &read); err != nil || read != text || !utf8.Valid(w.text) {
			t.Fatalf("%q is written %s and read %q, %v", text, w.text, read, err)
		}
	})
	var w writer
	w.identified("a", "I1", func() { w.group("b", func() {}); w.element("c", `<&>"'`) })
	if want := `<a Id="I1"><b></b><c>&lt;&amp;&gt;"'</c></a>`; string(w.text) != want {
		t.Errorf("%s, want %s", w.text, want)
	}
}

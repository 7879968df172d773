package sefin_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
)

func TestUnreadableDPS(t *testing.T) {
	_, c := startWithIssuer(t)
	document := c.dps(1)
	url := c.simulator.URL() + "/nfse"
	in := func(packed any) map[string]any { return map[string]any{"dpsXmlGZipB64": packed} }
	replaced := func(from, to string) map[string]any { return in(pack(strings.Replace(document, from, to, 1))) }
	prefixed := strings.NewReplacer("<Sign", "<ds:Sign", "</Sign", "</ds:Sign",
		"xmlns=\"http://www.w3", "xmlns:ds=\"http://www.w3")
	for name, test := range map[string]struct {
		body any
		code string
	}{
		"another property": {map[string]any{"dpsXmlGzipB64": pack(document)}, "RNG9999"},
		"no text":          {in(1), "RNG9999"},
		"no object":        {[]string{}, "RNG9999"},
		"not base64":       {in("<DPS>"), "E1225"},
		"not gzip":         {in(base64.StdEncoding.EncodeToString([]byte(document))), "E1226"},
		"too large":        {in(pack(strings.Repeat(" ", 2<<20))), "E1226"},
		"not XML":          {in(pack("DPS")), "E1226"},
		"half of it":       {in(pack(document[:len(document)/2])), "E1226"},
		"twice":            {in(pack(document + "<DPS/>")), "E1226"},
		"a DOCTYPE":        {replaced("<DPS", `<!DOCTYPE DPS [<!ENTITY x "1">]><DPS`), "E1226"},
		"another root":     {in(pack(declaration + "<NFSe/>")), "E1242"},
		"not declared":     {in(pack(strings.Replace(document, declaration, "", 1))), "E1229"},
		"a prefix":         {in(pack(prefixed.Replace(document))), "E1228"},
		"a schemaLocation": {replaced("<DPS", `<DPS xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`), "E1228"},
		"declared Latin-1": {replaced("UTF-8", "ISO-8859-1"), "E1229"},
		"really Latin-1":   {replaced("é", "\xe9"), "E1229"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := c.must("POST", url, test.body)
			if answer.codes() != test.code || answer.status != http.StatusBadRequest {
				t.Errorf("%d %s, want %s", answer.status, answer.text, test.code)
			}
		})
	}
	t.Run("NotJSON", func(t *testing.T) {
		response, err := c.http.Post(url, "text/plain", bytes.NewReader([]byte("{}")))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("text/plain: %d", response.StatusCode)
		}
	})
	if n := len(c.simulator.Ledger()); n != 0 {
		t.Errorf("%d notes were issued", n)
	}
	t.Run("AByteOrderMarkIsNoMistake", func(t *testing.T) {
		c.issued("\uFEFF" + document)
	})
}

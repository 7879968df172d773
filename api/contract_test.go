package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"emissor/test/testkit"
)

func TestContract_ServedToAnyone(t *testing.T) {
	s := newSystem(t)
	text, err := os.ReadFile("llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	full := s.Call(t, "GET", "/llms-full.txt", "", nil).Expect(t, http.StatusOK)
	brief := s.Call(t, "HEAD", "/llms-full.txt", "", nil).Expect(t, http.StatusOK)
	if !bytes.Equal(full.Raw, text) || len(brief.Raw) != 0 {
		t.Errorf("GET answers %d bytes and HEAD %d, of %d", len(full.Raw), len(brief.Raw), len(text))
	}
	for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Last-Modified", "Cache-Control",
		"X-Content-Type-Options"} {
		if full.Header.Get(name) == "" || full.Header.Get(name) != brief.Header.Get(name) {
			t.Errorf("%s is %q of GET and %q of HEAD", name, full.Header.Get(name), brief.Header.Get(name))
		}
	}
	same(t, "Content-Type", full.Header.Get("Content-Type"), "text/plain; charset=utf-8")
	if tag := full.Header.Get("ETag"); len(tag) < 10 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		t.Errorf("the ETag is not strong: %s", tag)
	}
	s.Call(t, "GET", "/llms-full.txt", "nonsense", nil).Expect(t, http.StatusOK)
}

func TestContract_ConditionalRequests(t *testing.T) {
	s := newSystem(t)
	first := s.Call(t, "GET", "/llms-full.txt", "", nil).Expect(t, http.StatusOK)
	tag, modified := first.Header.Get("ETag"), first.Header.Get("Last-Modified")
	changed, err := http.ParseTime(modified)
	if err != nil {
		t.Fatal(err)
	}
	before, after := changed.Add(-time.Second).Format(http.TimeFormat), changed.Add(time.Hour).Format(http.TimeFormat)
	for _, test := range []struct {
		name   string
		header http.Header
		status int
	}{
		{"its tag", http.Header{"If-None-Match": {tag}}, http.StatusNotModified},
		{"its tag among others", http.Header{"If-None-Match": {`"x", ` + tag}}, http.StatusNotModified},
		{"its tag, weak", http.Header{"If-None-Match": {"W/" + tag}}, http.StatusNotModified},
		{"any tag", http.Header{"If-None-Match": {"*"}}, http.StatusNotModified},
		{"another tag", http.Header{"If-None-Match": {`"x"`}}, http.StatusOK},
		{"its date", http.Header{"If-Modified-Since": {modified}}, http.StatusNotModified},
		{"a later date", http.Header{"If-Modified-Since": {after}}, http.StatusNotModified},
		{"an earlier date", http.Header{"If-Modified-Since": {before}}, http.StatusOK},
		{"no date", http.Header{"If-Modified-Since": {"yesterday"}}, http.StatusOK},
		{"another tag and a later date", http.Header{"If-None-Match": {`"x"`}, "If-Modified-Since": {after}},
			http.StatusOK},
		{"conditions that are not offered", http.Header{"Range": {"bytes=0-9"}, "If-Match": {`"x"`},
			"If-Unmodified-Since": {before}}, http.StatusOK},
		{"a range out of range", http.Header{"Range": {"bytes=99999999-"}}, http.StatusOK},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			t.Run(method+" "+test.name, func(t *testing.T) {
				answer := s.Send(t, method, "/llms-full.txt", test.header.Clone(), nil).Expect(t, test.status)
				same(t, "ETag", answer.Header.Get("ETag"), tag)
				same(t, "Accept-Ranges", answer.Header.Get("Accept-Ranges"), "none")
				if method == "GET" && test.status == http.StatusOK {
					same(t, "bytes", len(answer.Raw), len(first.Raw))
				} else {
					same(t, "bytes", len(answer.Raw), 0)
				}
			})
		}
	}
}

// schemaOf says which schema of the OpenAPI description an example of the
// contract is an example of.
func schemaOf(example map[string]any) string {
	has := func(names ...string) bool {
		for _, name := range names {
			if _, ok := example[name]; !ok {
				return false
			}
		}
		return true
	}
	id, _ := example["id"].(string)
	prefix, _, _ := strings.Cut(id, "_")
	switch {
	case has("error"):
		return "Error"
	case has("data", "next_cursor"):
		return "ServicePage"
	case has("idempotent"):
		return "NfseAccepted"
	case has("reason_code"):
		return "CancelNfse"
	case has("reference", "amount_cents") && id == "":
		return "CreateNfse"
	}
	return map[string]string{"srv": "Service", "cus": "Customer", "nfse": "Nfse", "evt": "Event"}[prefix]
}

func TestContract_ExamplesMatchOpenAPI(t *testing.T) {
	text, err := os.ReadFile("llms-full.txt")
	if err != nil {
		t.Fatal(err)
	}
	schemas := testkit.Description(t).Components.Schemas
	seen := map[string]int{}
	for _, block := range strings.Split(string(text), "```json\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		var example map[string]any
		if err := json.Unmarshal([]byte(block), &example); err != nil {
			t.Fatalf("%v: %s", err, block)
		}
		name := schemaOf(example)
		if schemas[name] == nil {
			t.Fatalf("an example of what? %s", block)
		}
		seen[name]++
		if err := schemas[name].Value.VisitJSON(example); err != nil {
			t.Errorf("an example of %s: %v", name, err)
		}
	}
	for _, name := range []string{"Service", "Customer", "NfseAccepted", "Nfse", "ServicePage", "CreateNfse",
		"CancelNfse", "Event", "Error"} {
		if seen[name] == 0 {
			t.Errorf("the contract has no example of %s", name)
		}
	}
}

package xmlread_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"emissor/internal/xmlread"
)

func TestFields(t *testing.T) {
	t.Parallel()
	root, fields, err := xmlread.Fields([]byte(`<?xml version="1.0"?><!-- a --><n xmlns="u" v="0">
		<inf Id="1"> <a> b<!-- -->c </a><a/><a>d</a>e</inf><s:Signature xmlns:s="w"><a>no</a></s:Signature></n>
		<!-- z -->`))
	want := map[string][]string{"": {""}, "inf": {""}, "inf/@Id": {"1"}, "inf/a": {"bc", "", "d"}}
	if err != nil || root.Space != "u" || root.Local != "n" || !maps.EqualFunc(fields, want, slices.Equal) {
		t.Errorf("%v, %q, %v", root, fields, err)
	}
}

// Every way to read refuses the same documents, for the same reasons.
func TestReaders_RefuseTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, problem string }{
		"nothing":                {"", "is not the XML"},
		"no XML":                 {"%PDF-1.4", "is not the XML"},
		"cut off":                {"<a><b>", "is not the XML"},
		"an entity of its own":   {`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "is not the XML"},
		"too deep":               {strings.Repeat("<a>", 65) + strings.Repeat("</a>", 65), "too deep"},
		"too large":              {"<a>" + strings.Repeat(" ", xmlread.MaxBytes) + "</a>", "is larger"},
		"two documents":          {"<a/><a/>", "goes on after its end"},
		"text behind it":         {"<a/>b", "goes on after its end"},
		"an instruction behind":  {"<a/><?b c?>", "goes on after its end"},
		"comments and space":     {" <!-- --><a/>\n<!-- -->", ""},
		"a byte order mark":      {"\ufeff<a/>", ""},
		"an encoding of its own": {`<?xml version="1.0" encoding="UTF-8"?><a/>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var into, text struct{}
			_, _, ofFields := xmlread.Fields([]byte(c.document))
			for reader, err := range map[string]error{
				"Into": xmlread.Into([]byte(c.document), &into), "Fields": ofFields,
				"TextInto": xmlread.TextInto([]byte(c.document), &text),
			} {
				if err == nil && c.problem != "" || err != nil && (c.problem == "" ||
					!strings.Contains(err.Error(), c.problem)) {
					t.Errorf("%s: %v", reader, err)
				}
			}
		})
	}
}

// Only the text of another document may say another encoding than it has.
func TestTextInto_EncodingCountsForNothing(t *testing.T) {
	t.Parallel()
	document := []byte(`<?xml version="1.0" encoding="utf-16"?><a>ção</a>`)
	var read struct {
		Text string `xml:",chardata"`
	}
	if err := xmlread.TextInto(document, &read); err != nil || read.Text != "ção" {
		t.Errorf("%q, %v", read.Text, err)
	}
	_, _, ofFields := xmlread.Fields(document)
	for _, err := range []error{xmlread.Into(document, &read), ofFields} {
		if err == nil || errors.Is(err, xmlread.ErrExceeded) {
			t.Errorf("%v", err)
		}
	}
}

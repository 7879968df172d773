package xmlread_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"emissor/internal/xmlread"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }
	numbered := func(format string, n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	for name, c := range map[string]struct{ document, problem string }{
		"a document":                {`<a b="c"><d/></a>`, ""},
		"nothing":                   {"", ""},
		"no XML":                    {"<a><", ""},
		"as deep as is allowed":     {nested(64), ""},
		"too deep":                  {nested(65), "too deep"},
		"ends that begin nothing":   {strings.Repeat("</a>", 100) + nested(165), "too deep"},
		"another encoding":          {`<?xml version="1.0" encoding="x"?>` + nested(65), "too deep"},
		"as many as are allowed":    {"<a>" + strings.Repeat("<b/>", 9999) + "</a>", ""},
		"too many elements":         {"<a>" + strings.Repeat("<b/>", 10000) + "</a>", "more than 10000 elements"},
		"too many comments":         {"<a>" + strings.Repeat("<!---->", 10000) + "</a>", "more than 10000 elements"},
		"too many instructions":     {"<a>" + strings.Repeat("<?b?>", 10000) + "</a>", "more than 10000 elements"},
		"too many attributes":       {"<a" + numbered(` b%d=""`, 33) + "/>", "more than 32 attributes"},
		"too many namespaces":       {"<a>" + numbered(`<b xmlns:n%d="u"/>`, 33) + "</a>", "more than 32 namespaces"},
		"one namespace, many times": {"<a>" + numbered(`<b xmlns:n="u%d"/>`, 99) + "</a>", ""},
		"too large":                 {"<a>" + strings.Repeat(" ", 1<<20) + "</a>", "larger than 1 MiB"},
	} {
		err := xmlread.Check([]byte(c.document))
		switch {
		case c.problem == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.problem != "" && (!errors.Is(err, xmlread.ErrExceeded) || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><a xmlns:b="c"><!-- d --><b:e f="g"/></a>`))
	f.Fuzz(func(t *testing.T, document []byte) {
		if err := xmlread.Check(document); err != nil && !errors.Is(err, xmlread.ErrExceeded) {
			t.Error(err)
		}
	})
}

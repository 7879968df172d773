package xmlread_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"emissor/internal/xmlread"
)

// walked are the steps of a document in a line, and the error that ended them.
func walked(ctx context.Context, document string) (steps string, err error) {
	var all strings.Builder
	left := 1_000_000
	for stream := xmlread.NewStream(ctx, strings.NewReader(document), &left); ; {
		step, err := stream.Next()
		switch {
		case err != nil:
			return all.String(), err
		case step.Begins != "":
			all.WriteString("<" + step.Begins + step.Attribute("r") + ">")
		case step.Ends != "":
			all.WriteString("</" + step.Ends + ">")
		default:
			all.WriteString(step.Text)
		}
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	steps, err := walked(t.Context(), `<?xml version="1.0"?><x:a xmlns:x="u" xmlns:r="v"><!-- c --><b r="1"/>&lt;d</x:a>`)
	if steps != "<a><b1></b><d</a>" || !errors.Is(err, io.EOF) {
		t.Errorf("the steps are %s, %v", steps, err)
	}
	for name, document := range map[string]string{
		"unfinished": "<a><b>", "mismatched": "<a></b>", "an entity of its own": "<a>&b;</a>",
	} {
		if _, err := walked(t.Context(), document); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := walked(ended, "<a/>"); !errors.Is(err, context.Canceled) {
		t.Errorf("after its time it is %v", err)
	}
}

func TestStream_Bounds(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"too deep":         strings.Repeat("<a>", 65),
		"a long text":      "<a>" + strings.Repeat("b", 1<<20) + "</a>",
		"a long tag":       "<a" + strings.Repeat(` b=""`, 1<<18) + "/>",
		"a long comment":   "<!--" + strings.Repeat("b", 1<<20) + "--><a/>",
		"too many of them": "<a>" + strings.Repeat("<b/>", 500_000) + "</a>",
		"many attributes":  "<a" + strings.Repeat(` b=""`, 33) + "/>",
	} {
		if _, err := walked(t.Context(), document); !errors.Is(err, xmlread.ErrExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := walked(t.Context(), "<a>"+strings.Repeat("<b>c</b>", 50_000)+"</a>"); !errors.Is(err, io.EOF) {
		t.Errorf("a document of 400 KB: %v", err)
	}
}

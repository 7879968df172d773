package batch

import (
	"archive/zip"
	"bytes"
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// mostRead is what reading a workbook may take, in bytes.
const mostRead = 64 << 20

// heapNow is how much memory is in use, with what nobody has collected yet.
func heapNow() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// peak is how much memory more is in use while something is done than before it.
func peak(do func()) (most uint64) {
	runtime.GC()
	before, done, measured := heapNow(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(measured)
		tick := time.NewTicker(200 * time.Microsecond)
		defer tick.Stop()
		for {
			most = max(most, heapNow())
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	do()
	after := heapNow()
	close(done)
	<-measured
	return max(most, before, after) - before
}

// A small file of which much is made does not take the memory of the process that reads it, whether it
// is refused or not.
func TestRead_Memory(t *testing.T) { // alone: it measures what the process has
	numbered := func(format string, n int) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, format, i)
		}
		return all.String()
	}
	wide := `<row>` + strings.Repeat(`<c><v>%s</v></c>`, maxColumns) + `</row>`
	for name, file := range map[string]struct {
		content []byte
		refused bool
	}{
		"millions of empty strings": {workbookOf(t, ``, strings.Repeat(`<si/>`, 2_000_000)), true},
		"many strings":              {workbookOf(t, ``, numbered(`<si><t>%d</t></si>`, 1_000_000)), true},
		"a string of many parts": {workbookOf(t, ``, `<si>`+strings.Repeat(`<r><t>`+strings.Repeat("x", 1<<19)+
			`</t></r>`, 50)+`</si>`), true},
		"strings of a megabyte": {workbookOf(t, ``, strings.Repeat(`<si><t>`+strings.Repeat("x", 1<<20-10)+`</t></si>`,
			30)), true},
		"numbers of 300 digits": {workbookOf(t, strings.Repeat(strings.ReplaceAll(wide, "%s", "1e308"), 4_000)), true},
		"cells in the last column": {workbookOf(t, strings.Repeat(`<row><c r="BL1"><v>1</v></c></row>`,
			MaxLines)), false},
		"full lines": {workbookOf(t, strings.Repeat(`<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 14)+`</row>`, MaxLines),
			`<si><t>`+strings.Repeat("x", 100)+`</t></si>`), false},
		"namespaces in namespaces": {workbookOf(t, strings.Repeat(`<x`+numbered(` xmlns:n%d="u"`, 50_000)+`>`, 30)), true},
		"parts that are named":     {manyParts(t), true},
	} {
		most := peak(func() {
			rows, err := read(t.Context(), file.content)
			if refused := err != nil; refused != file.refused {
				t.Errorf("%s: %d rows, %v", name, len(rows), err)
			}
			runtime.KeepAlive(rows)
		})
		t.Logf("%s: %d KB take %d MB", name, len(file.content)>>10, most>>20)
		if most > mostRead {
			t.Errorf("%s: %d KB take %d MB", name, len(file.content)>>10, most>>20)
		}
	}
}

// manyParts is a file of nothing but the names of its parts.
func manyParts(t *testing.T) []byte {
	t.Helper()
	var written bytes.Buffer
	archive := zip.NewWriter(&written)
	for i := range 45_000 {
		if _, err := archive.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

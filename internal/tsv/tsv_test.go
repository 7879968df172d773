package tsv_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"emissor/internal/tsv"
)

func TestMust(t *testing.T) {
	read := func(table string) (rows [][]string, failed any) {
		defer func() { failed = recover() }()
		return tsv.Must(fstest.MapFS{"a.tsv": {Data: []byte(table)}}, "a.tsv"), nil
	}
	rows, failed := read("code\ttext\n# of numbers\none\tum\ntwo\tdois\n")
	if failed != nil || !reflect.DeepEqual(rows, [][]string{{"one", "um"}, {"two", "dois"}}) {
		t.Errorf("read as %q, %v", rows, failed)
	}
	for _, wrong := range []string{"code\ttext\none\n", "code\ttext\none\tum\tuno\n", "code\ttext\none\t\n", "code\ttext\n\n"} {
		if _, failed := read(wrong); !strings.Contains(fmt.Sprint(failed), "a.tsv: the row") {
			t.Errorf("%q: %v", wrong, failed)
		}
	}
}

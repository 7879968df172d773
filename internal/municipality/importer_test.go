package municipality

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParseRanges(t *testing.T) {
	saoPaulo := Range{"01000000", "05999999", "3550308"}
	osasco := Range{"06000000", "06299999", "3534401"}
	both := []Range{saoPaulo, osasco}
	for name, test := range map[string]struct {
		file string
		want []Range
	}{
		"commas":           {"01000000,05999999,3550308\n06000000,06299999,3534401\n", both},
		"tabs":             {"01000000\t05999999\t3550308\n06000000\t06299999\t3534401\n", both},
		"semicolons":       {"01000000;05999999;3550308\n06000000;06299999;3534401\n", both},
		"no last line end": {"01000000,05999999,3550308\n06000000,06299999,3534401", both},
		"CRLF":             {"01000000,05999999,3550308\r\n06000000,06299999,3534401\r\n", both},
		"hyphens":          {"01000-000,05999-999,3550308", []Range{saoPaulo}},
		"spaces":           {" 01000000 , 05999999 , 3550308 ", []Range{saoPaulo}},
		"column names":     {"start,end,code\n01000000,05999999,3550308", []Range{saoPaulo}},
		"byte order mark":  {"\ufeff01000000,05999999,3550308", []Range{saoPaulo}},
		"mark and names":   {"\ufeffcep inicial;cep final;ibge\r\n01000000;05999999;3550308", []Range{saoPaulo}},
		"comments and gaps": {"# ranges\n\nstart,end,code\n\n# a city\n01000000,05999999,3550308\n\n",
			[]Range{saoPaulo}},
		"any order":    {"06000000,06299999,3534401\n01000000,05999999,3550308", both},
		"one zip code": {"01310100,01310100,3550308", []Range{{"01310100", "01310100", "3550308"}}},
		"two of one city": {"01310100,01310199,3550308\n01310200,01310200,3550308",
			[]Range{{"01310100", "01310199", "3550308"}, {"01310200", "01310200", "3550308"}}},
		"every zip code there is": {"00000000,99999999,3550308", []Range{{"00000000", "99999999", "3550308"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseRanges(strings.NewReader(test.file))
			if (err != nil) != (test.want == nil) {
				t.Fatalf("error %v", err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestParseRanges_Errors(t *testing.T) {
	for name, test := range map[string]struct {
		file, want string
	}{
		"empty":      {"", `the file has no range`},
		"only names": {"start,end,code\n", `the file has no range`},
		"second header": {"start,end,code\nstart,end,code\n",
			`line 2: start: "start" is not a zip code of eight digits`},
		"short start": {"1000000,05999999,3550308", `line 1: start: "1000000" is not a zip code of eight digits`},
		"long end":    {"01000000,059999990,3550308", `line 1: end: "059999990" is not a zip code of eight digits`},
		"odd hyphen": {"010-00000,05999999,3550308",
			`line 1: start: "010-00000" is not a zip code of eight digits`},
		"letters":         {"01000000,0599999O,3550308", `line 1: end: "0599999O" is not a zip code of eight digits`},
		"other digits":    {"01000000,0599999٣,3550308", `line 1: end: "0599999٣" is not a zip code of eight digits`},
		"start after end": {"# x\n05999999,01000000,3550308", `line 2: start 05999999 is after end 01000000`},
		"unknown code": {"start;end;code\n01000000;05999999;3550309",
			`line 2: no municipality has the IBGE code "3550309"`},
		"two columns": {"01000000,05999999",
			`line 1: has 2 columns; start, end and municipality code are expected`},
		"four columns": {"01000000,05999999,3550308,São Paulo",
			`line 1: has 4 columns; start, end and municipality code are expected`},
		"empty column": {"01000000,,05999999,3550308",
			`line 1: has 4 columns; start, end and municipality code are expected`},
		"same twice": {"01000000,05999999,3550308\n01000000,05999999,3550308", `line 2: overlaps with line 1`},
		"shared end": {"01000000,05999999,3550308\n05999999,06299999,3534401", `line 2: overlaps with line 1`},
		"inside": {"01310100,01310100,3550308\n06000000,06299999,3534401\n01000000,05999999,3550308",
			`line 3: overlaps with line 1`},
		"long line": {"01000000,05999999,3550308\n" + strings.Repeat("0", 2000),
			`line 2: longer than 1024 bytes`},
	} {
		t.Run(name, func(t *testing.T) {
			ranges, err := ParseRanges(strings.NewReader(test.file))
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, %v; want %s", ranges, err, test.want)
			}
		})
	}
}

func TestParseRanges_HugeFile(t *testing.T) {
	endless := &repeater{text: "# nothing but comments, for ever\n"}
	_, err := ParseRanges(endless)
	if err == nil || !strings.Contains(err.Error(), "larger than 16777216 bytes") {
		t.Errorf("got %v", err)
	}
	if endless.read > maxRangesFile+1<<20 {
		t.Errorf("read %d bytes", endless.read)
	}
}

func TestParseRanges_ReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	file := io.MultiReader(strings.NewReader("01000000,05999999,3550308\n"), iotest.ErrReader(broken))
	if _, err := ParseRanges(file); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// repeater is a file that never ends.
type repeater struct {
	text string
	read int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.read%len(r.text):])
	r.read += n
	return n, nil
}

func FuzzParseRanges(f *testing.F) {
	f.Add("\ufeffstart;end;code\r\n01000-000;05999-999;3550308\r\n06000000,06299999\t3534401")
	f.Add("# comment\n\n01310100,01310100,3550308\n01000000,05999999,3550308")
	f.Add("01000000,,3550308")
	f.Fuzz(func(t *testing.T, file string) {
		parsed, err := ParseRanges(strings.NewReader(file))
		if err != nil {
			if parsed != nil {
				t.Fatal("ranges beside an error")
			}
			return
		}
		var written strings.Builder
		for i, r := range parsed {
			if !isZipCode(r.Start) || !isZipCode(r.End) || r.Start > r.End || !Exists(r.Code) {
				t.Fatalf("accepted %+v", r)
			}
			if i > 0 && r.Start <= parsed[i-1].End {
				t.Fatalf("accepted %+v after %+v", r, parsed[i-1])
			}
			written.WriteString(r.Start + "," + r.End + "," + r.Code + "\n")
		}
		again, err := ParseRanges(strings.NewReader(written.String()))
		if err != nil || !slices.Equal(again, parsed) {
			t.Fatalf("not the same when read again: %v, %v", again, err)
		}
	})
}

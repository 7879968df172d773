package municipality

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxRangesFile = 16 << 20 // bytes; a range for every municipality takes 150 KB
	maxRangesLine = 1 << 10
)

// ParseRanges reads a file of zip-code ranges and returns them in ascending order.
//
// Each line has three columns, separated by tabs, commas or semicolons: the first
// zip code, the last zip code and the IBGE code of the municipality. The zip codes
// may have their hyphen, and the file a byte order mark, CRLF line ends and a line of
// column names at the top. Empty lines and lines that begin with # are skipped.
//
// The error names the line and what is wrong with it.
func ParseRanges(file io.Reader) ([]Range, error) {
	type numbered struct {
		Range
		line int
	}
	var found []numbered

	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxRangesLine)
	number, size, top := 0, 0, true
	for lines.Scan() {
		number++
		if size += len(lines.Bytes()) + 1; size > maxRangesFile {
			return nil, fmt.Errorf("line %d: the file is larger than %d bytes", number, maxRangesFile)
		}
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if top && !strings.ContainsAny(line, "0123456789") {
			top = false
			continue
		}
		top = false
		r, err := parseRange(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		found = append(found, numbered{r, number})
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: longer than %d bytes", number+1, maxRangesLine)
	} else if err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	if len(found) == 0 {
		return nil, errors.New("the file has no range")
	}

	slices.SortStableFunc(found, func(a, b numbered) int { return cmp.Compare(a.Start, b.Start) })
	ranges := make([]Range, len(found))
	for i, r := range found {
		if i > 0 && r.Start <= found[i-1].End {
			first, second := found[i-1].line, r.line
			return nil, fmt.Errorf("line %d: overlaps with line %d", max(first, second), min(first, second))
		}
		ranges[i] = r.Range
	}
	return ranges, nil
}

var separators = strings.NewReplacer("\t", ",", ";", ",")

func parseRange(line string) (Range, error) {
	columns := strings.Split(separators.Replace(line), ",")
	if len(columns) != 3 {
		return Range{}, fmt.Errorf("has %d columns; start, end and municipality code are expected", len(columns))
	}
	start, err := parseZipCode(strings.TrimSpace(columns[0]))
	if err != nil {
		return Range{}, fmt.Errorf("start: %w", err)
	}
	end, err := parseZipCode(strings.TrimSpace(columns[1]))
	if err != nil {
		return Range{}, fmt.Errorf("end: %w", err)
	}
	if start > end {
		return Range{}, fmt.Errorf("start %s is after end %s", start, end)
	}
	code := strings.TrimSpace(columns[2])
	if !Exists(code) {
		return Range{}, fmt.Errorf("no municipality has the IBGE code %q", code)
	}
	return Range{Start: start, End: end, Code: code}, nil
}

// parseZipCode returns the eight digits of a zip code that may have its hyphen.
func parseZipCode(text string) (string, error) {
	zip := text
	if len(text) == 9 && text[5] == '-' {
		zip = text[:5] + text[6:]
	}
	if !isZipCode(zip) {
		return "", fmt.Errorf("%q is not a zip code of eight digits", text)
	}
	return zip, nil
}

// isZipCode reports whether text is eight digits.
func isZipCode(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789") == ""
}

package cities

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/fiscal/xmldsig"
	"emissor/internal/municipality"
	"emissor/nfse"
)

// columns are the columns of a file, each with how its value is read into a row of a family that the program speaks.
var columns = []struct {
	name string
	read func(*Row, string) error
}{
	{"city", func(r *Row, value string) error {
		r.MunicipalityCode = value
		if !municipality.Exists(value) {
			return fmt.Errorf("no municipality has the IBGE code %q", value)
		}
		return nil
	}},
	{"name", func(r *Row, value string) error {
		r.Name = value
		if !nameForm.MatchString(value) {
			return errors.New("must be 2 to 40 small letters, digits and hyphens, and begin with a letter")
		}
		return nil
	}},
	{"family", func(r *Row, value string) error { r.Family = Family(value); return nil }},
	{"state", readState},
	{"from", func(r *Row, value string) (err error) { r.From, err = readDay(value); return err }},
	{"until", func(r *Row, value string) (err error) {
		if value != "" {
			r.Until, err = readDay(value)
		}
		return err
	}},
	{"production", func(r *Row, value string) error { r.Production = value; return checkBase(value) }},
	{"test", func(r *Row, value string) error { r.Test = value; return checkBase(value) }},
	{"signature", func(r *Row, value string) (err error) {
		r.Signature, err = xmldsig.ParseProfile(value)
		return err
	}},
	{"municipal_code", readMunicipalCode},
	{"quirks", readQuirks},
	{"source", func(r *Row, value string) error {
		if r.Source = value; value == "" {
			return errors.New("must say where the row is known from")
		}
		return nil
	}},
}

// Columns are the names of a file's columns.
func Columns() (names []string) {
	for _, one := range columns {
		names = append(names, one.name)
	}
	return names
}

// ParseError says what is wrong with a file, and where.
type ParseError struct {
	Line   int
	Column string // its name; empty: the line as a whole
	Err    error
}

// Error implements error.
func (e *ParseError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, column %s: %s", e.Line, e.Column, e.Err)
}

// Unwrap returns what is wrong.
func (e *ParseError) Unwrap() error { return e.Err }

// maxFile bounds a file, of which the one that is built in is some kilobytes.
const maxFile = 1 << 20

// Parse reads a table of these families: UTF-8, divided by tabs, of which the first line names the columns; a
// line that begins with # is a comment. The error is a *ParseError.
func Parse(content string, families Families) (Table, error) {
	table, lines, err := parse(content)
	if err != nil {
		return Table{}, err
	}
	for i, row := range table.rows {
		if column, err := families.check(row); err != nil {
			return Table{}, &ParseError{lines[i], column, err}
		}
	}
	return table, nil
}

// parse reads a table of any families, and the lines of its rows.
func parse(content string) (table Table, lines []int, err error) {
	if len(content) > maxFile || !utf8.ValidString(content) {
		return Table{}, nil, &ParseError{1, "", errors.New("the file must be UTF-8 of at most 1 MiB")}
	}
	table = Table{File: content}
	header := false
	for i, line := range strings.Split(strings.TrimPrefix(content, "\ufeff"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
			continue
		case !header:
			if header = true; line != strings.Join(Columns(), "\t") {
				return Table{}, nil, &ParseError{i + 1, "",
					errors.New("must name the columns, divided by tabs: " + strings.Join(Columns(), ", "))}
			}
			continue
		}
		row, err := parseRow(i+1, strings.Split(line, "\t"))
		if err != nil {
			return Table{}, nil, err
		}
		table.rows, lines = append(table.rows, row), append(lines, i+1)
	}
	if len(table.rows) == 0 {
		return Table{}, nil, &ParseError{1, "", errors.New("the table has no row")}
	}
	if err := checkTogether(table.rows, lines); err != nil {
		return Table{}, nil, err
	}
	return table, lines, nil
}

func parseRow(line int, values []string) (row Row, err error) {
	if len(values) != len(columns) {
		return row, &ParseError{line, "", fmt.Errorf("has %d columns, and must have %d", len(values), len(columns))}
	}
	for i, column := range columns {
		value := strings.TrimSpace(values[i])
		if err := column.read(&row, value); err != nil {
			return row, &ParseError{line, column.name, err}
		}
		row.values = append(row.values, value)
	}
	switch {
	case row.Until != "" && row.Until < row.From:
		return row, &ParseError{line, "until", errors.New("is before the first day")}
	case row.On() && row.Production == "" && row.Test == "":
		return row, &ParseError{line, "production", errors.New("a city without an address can only be off")}
	}
	return row, nil
}

// checkTogether refuses rows that do not go together: a day on which two hold for a city, a name
// of two cities, and a city of two names.
func checkTogether(rows []Row, lines []int) error {
	for i, row := range rows {
		for j, before := range rows[:i] {
			overlap := row.From <= cmp.Or(before.Until, lastDay) && before.From <= cmp.Or(row.Until, lastDay)
			switch {
			case (row.Name == before.Name) != (row.MunicipalityCode == before.MunicipalityCode):
				return &ParseError{lines[i], "name", fmt.Errorf("line %d has the city %s under the name %s",
					lines[j], before.MunicipalityCode, before.Name)}
			case row.Name == before.Name && overlap:
				return &ParseError{lines[i], "from", fmt.Errorf("overlaps the days of line %d", lines[j])}
			}
		}
	}
	return nil
}

const lastDay nfse.Day = "9999-12-31"

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{1,39}$`)

// readState reads on, or off: with the reason.
func readState(r *Row, value string) error {
	state, why, _ := strings.Cut(value, ":")
	r.Off = strings.TrimSpace(why)
	if state == "on" && r.Off == "" || state == "off" && r.Off != "" {
		return nil
	}
	return errors.New("must be on, or off: and the reason")
}

func readDay(value string) (nfse.Day, error) {
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return "", errors.New("must be a day as 2026-11-24")
	}
	return nfse.Day(value), nil
}

func checkBase(value string) error {
	if value == "" {
		return nil
	}
	base, err := url.Parse(value)
	if err != nil || base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		base.RawQuery != "" || base.ForceQuery || base.Fragment != "" {
		return errors.New("must be an https URL with a host, without user, query or fragment")
	}
	return nil
}

// mostDigits are the most digits of a city's own code of a service.
const mostDigits = 10

// readMunicipalCode reads how many digits a code has, as 3 or 1-10.
func readMunicipalCode(r *Row, value string) error {
	if value == "" {
		return nil
	}
	first, last, isRange := strings.Cut(value, "-")
	if !isRange {
		last = first
	}
	least, errLeast := strconv.Atoi(first)
	most, errMost := strconv.Atoi(last)
	if errLeast != nil || errMost != nil || least < 1 || most < least || most > mostDigits {
		return fmt.Errorf("must be the number of digits, as 3 or 1-%d", mostDigits)
	}
	r.MunicipalCode = &Digits{least, most}
	return nil
}

// readQuirks reads names with values, as series=10001-49999, divided by spaces.
func readQuirks(r *Row, value string) error {
	r.Quirks = map[Quirk]string{}
	for _, word := range strings.Fields(value) {
		name, given, _ := strings.Cut(word, "=")
		if _, twice := r.Quirks[Quirk(name)]; twice {
			return fmt.Errorf("%s is there twice", name)
		}
		r.Quirks[Quirk(name)] = given
	}
	return nil
}

// check says what is wrong with the family of a row, or with what it says of it, and in which column.
func (f Families) check(row Row) (column string, err error) {
	if f[row.Family] == nil {
		return "family", fmt.Errorf("must be %s", strings.Join(f.names(), " or "))
	}
	known := f.Quirks(row.Family)
	for _, quirk := range slices.Sorted(maps.Keys(row.Quirks)) {
		means, is := known[quirk]
		if !is {
			return "quirks", fmt.Errorf("%q is no quirk of the family %s, which has: %s", quirk, row.Family,
				quirkNames(known))
		}
		if err := means.Check(row.Quirks[quirk]); err != nil {
			return "quirks", fmt.Errorf("%s %w", quirk, err)
		}
	}
	return "", nil
}

func quirkNames(known map[Quirk]Meaning) string {
	var names []string
	for quirk := range known {
		names = append(names, string(quirk))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// greatestSeries is the greatest of a company's own series (layout 1.01).
const greatestSeries = 49999

func parseSeries(value string) (series SeriesRange, err error) {
	first, last, _ := strings.Cut(value, "-")
	series.First, err = strconv.Atoi(first)
	if err == nil {
		series.Last, err = strconv.Atoi(last)
	}
	if err != nil || series.First < 1 || series.Last < series.First || series.Last > greatestSeries {
		return series, fmt.Errorf("must be the first and the last series, as 10001-%d", greatestSeries)
	}
	return series, nil
}

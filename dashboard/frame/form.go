package frame

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// ReadForm reads the form of a request into r.PostForm. What the script sends is read by
// its page.
func (r *Request) ReadForm() error {
	if r.AsScript() {
		return nil
	}
	if r.Route.Ask(ASheet) {
		if err := http.NewResponseController(r.W).SetReadDeadline(time.Now().Add(sheetUpload)); err != nil {
			return err
		}
	}
	err := r.ParseForm()
	if err == nil && r.Route.Ask(AFile|ASheet) {
		if err = r.ParseMultipartForm(MaxSheetBody); errors.Is(err, http.ErrNotMultipart) {
			err = nil
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return Problem{http.StatusRequestEntityTooLarge, "problem.too_large"}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Problem{http.StatusRequestTimeout, "problem.slow"}
	case err != nil:
		return Problem{http.StatusBadRequest, "problem.unreadable"}
	}
	return nil
}

// Form is what somebody typed, and what is wrong with its fields. A page shows it again as
// long as something is.
type Form struct {
	Values        map[string]string
	FieldProblems []FieldProblem
	LockedFields  []string // fields that cannot be changed
	heading       string   // key of what is said above the problems; empty: that nothing was saved
}

// FieldProblem is what is wrong with a field: the key of a message, or else a fact.
type FieldProblem struct {
	Field, Key string
	Reason     fact.Fact
}

// NewForm reads fields of the request, from its form or its query.
func (r *Request) NewForm(fields ...string) *Form {
	f := &Form{Values: map[string]string{}}
	for _, field := range fields {
		f.Values[field] = r.FormValue(field)
	}
	return f
}

// Value is what was typed into a field.
func (f *Form) Value(field string) string {
	if f == nil {
		return ""
	}
	return f.Values[field]
}

// Locked reports whether a field cannot be changed.
func (f *Form) Locked(field string) bool { return f != nil && slices.Contains(f.LockedFields, field) }

// Problem is what is wrong with a field; nil when nothing is.
func (f *Form) Problem(field string) *FieldProblem {
	for _, problem := range f.Problems() {
		if problem.Field == field {
			return &problem
		}
	}
	return nil
}

// Wrong reports whether something is wrong with one of some fields.
func (f *Form) Wrong(fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return f.Problem(field) != nil })
}

// Problems are all that is wrong, in the order of the fields.
func (f *Form) Problems() []FieldProblem {
	if f == nil {
		return nil
	}
	return f.FieldProblems
}

// Heading is the key of what is said above the problems.
func (f *Form) Heading() string { return cmp.Or(f.heading, "frame.errors") }

// AddProblem sets what is wrong with a field.
func (f *Form) AddProblem(field, key string) {
	f.FieldProblems = append(f.FieldProblems, FieldProblem{Field: field, Key: key})
}

// WrongBecause sets, by a fact, what is wrong with a field.
func (f *Form) WrongBecause(field string, reason fact.Fact) {
	f.FieldProblems = append(f.FieldProblems, FieldProblem{Field: field, Reason: reason})
}

func (f *Form) Good() bool { return len(f.FieldProblems) == 0 }

// Others are what was found for fields that do not show it themselves.
func Others(all []Found, but ...string) (rest []Found) {
	for _, one := range all {
		own := false
		for _, name := range but {
			own = own || one.Field == name
		}
		if !own {
			rest = append(rest, one)
		}
	}
	return rest
}

// CityByName puts the code of a city in the place of its name, as "Curitiba/PR", by which people
// know it. What names no city stays, for the rule to refuse.
func (f *Form) CityByName(field string) {
	if cities := municipality.Search(f.Trimmed(field), 2); len(cities) > 0 && (len(cities) == 1 ||
		strings.EqualFold(cities[0].String(), f.Trimmed(field))) {
		f.Values[field] = cities[0].Code
	}
}

// File reads a file that came with the form; nothing when none did.
func (r *Request) File(field string) ([]byte, error) {
	file, _, err := r.FormFile(field)
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return nil, nil
	}
	if err != nil {
		return nil, Problem{http.StatusBadRequest, "problem.unreadable"}
	}
	defer file.Close()
	return io.ReadAll(file)
}

func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// AsError returns the error that rules and store give to callers; nil for any other.
func AsError(err error) *nfse.Error {
	var known *nfse.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

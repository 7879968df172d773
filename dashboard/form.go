package dashboard

import (
	"cmp"
	"errors"
	"net/http"
	"os"
	"slices"
	"time"

	"emissor/nfse/fact"
)

// readForm reads the form of a request into r.PostForm. What the script sends is read by
// its page.
func (r *request) readForm() error {
	if r.asScript() {
		return nil
	}
	if r.route.ask(aSheet) {
		if err := http.NewResponseController(r.w).SetReadDeadline(time.Now().Add(sheetUpload)); err != nil {
			return err
		}
	}
	err := r.ParseForm()
	if err == nil && r.route.ask(aFile|aSheet) {
		if err = r.ParseMultipartForm(maxSheetBody); errors.Is(err, http.ErrNotMultipart) {
			err = nil
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem{http.StatusRequestEntityTooLarge, "problem.too_large"}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem{http.StatusRequestTimeout, "problem.slow"}
	case err != nil:
		return problem{http.StatusBadRequest, "problem.unreadable"}
	}
	return nil
}

// form is what somebody typed, and what is wrong with its fields. A page shows it again as
// long as something is.
type form struct {
	values   map[string]string
	problems []fieldProblem
	locked   []string // fields that cannot be changed
	heading  string   // key of what is said above the problems; empty: that nothing was saved
}

// fieldProblem is what is wrong with a field: the key of a message, or else a fact.
type fieldProblem struct {
	Field, Key string
	Reason     fact.Fact
}

// newForm reads fields of the request, from its form or its query.
func (r *request) newForm(fields ...string) *form {
	f := &form{values: map[string]string{}}
	for _, field := range fields {
		f.values[field] = r.FormValue(field)
	}
	return f
}

// Value is what was typed into a field.
func (f *form) Value(field string) string {
	if f == nil {
		return ""
	}
	return f.values[field]
}

// Locked reports whether a field cannot be changed.
func (f *form) Locked(field string) bool { return f != nil && slices.Contains(f.locked, field) }

// Problem is what is wrong with a field; nil when nothing is.
func (f *form) Problem(field string) *fieldProblem {
	for _, problem := range f.Problems() {
		if problem.Field == field {
			return &problem
		}
	}
	return nil
}

// Wrong reports whether something is wrong with one of some fields.
func (f *form) Wrong(fields ...string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return f.Problem(field) != nil })
}

// Problems are all that is wrong, in the order of the fields.
func (f *form) Problems() []fieldProblem {
	if f == nil {
		return nil
	}
	return f.problems
}

// Heading is the key of what is said above the problems.
func (f *form) Heading() string { return cmp.Or(f.heading, "frame.errors") }

// wrong sets what is wrong with a field.
func (f *form) wrong(field, key string) {
	f.problems = append(f.problems, fieldProblem{Field: field, Key: key})
}

// wrongBecause sets, by a fact, what is wrong with a field.
func (f *form) wrongBecause(field string, reason fact.Fact) {
	f.problems = append(f.problems, fieldProblem{Field: field, Reason: reason})
}

func (f *form) good() bool { return len(f.problems) == 0 }

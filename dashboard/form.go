package dashboard

import (
	"errors"
	"net/http"
	"os"
)

// readForm reads the form of a request into r.PostForm. One that the script sent is
// read by its page.
func (r *request) readForm() error {
	if r.asScript() {
		return nil
	}
	err := r.ParseForm()
	if err == nil && r.route.ask(aFile) {
		if err = r.ParseMultipartForm(maxFileBody); errors.Is(err, http.ErrNotMultipart) {
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

// form is what somebody typed, and what is wrong with it: the key of a message for
// each field. A page shows it again until nothing is.
type form struct {
	values   map[string]string
	problems []fieldProblem
}

type fieldProblem struct{ Field, Key string }

// newForm reads fields of the request, as a form or as the query.
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

// Problem is the key of what is wrong with a field; empty when nothing is.
func (f *form) Problem(field string) string {
	for _, problem := range f.Problems() {
		if problem.Field == field {
			return problem.Key
		}
	}
	return ""
}

// Problems are all that is wrong, in the order of the fields.
func (f *form) Problems() []fieldProblem {
	if f == nil {
		return nil
	}
	return f.problems
}

// wrong says what is wrong with a field.
func (f *form) wrong(field, key string) { f.problems = append(f.problems, fieldProblem{field, key}) }

func (f *form) good() bool { return len(f.problems) == 0 }

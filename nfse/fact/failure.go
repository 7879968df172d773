package fact

import "errors"

// Failure makes an error of a fact.
func Failure(f Fact) error { return &failure{f} }

type failure struct{ fact Fact }

// Error implements error.
func (e *failure) Error() string { return e.fact.English() }

// OfError is the fact that an error was made of, also where it is wrapped, or else its message
// as Said; none where there is no error.
func OfError(err error) Fact {
	var made *failure
	switch {
	case err == nil:
		return Fact{}
	case errors.As(err, &made):
		return made.fact
	}
	return Said.With("words", err.Error())
}

package sefin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/internal/text"
	"emissor/nfse"
)

const maxMessage = 4000 // characters of a rejection's message

// badRequest reports whether the status says that the request itself is refused.
func (r reply) badRequest() bool {
	return r.Status == http.StatusBadRequest || r.Status == http.StatusUnprocessableEntity
}

// ownCode is the code of an error that has none: of no catalogue.
func (r reply) ownCode() string { return fmt.Sprintf("HTTP%d", r.Status) }

// answerErrors are the errors by which the authority says no. On a bad request any
// structured error is one. On other answers, which a gateway or a fault can give
// as well, only one with a code of the authority's.
func (r reply) answerErrors(body body) []answerError {
	var answerErrors []answerError
	for _, one := range body.errors {
		switch {
		case one.code == "" && r.dialect.rules().CodeOf(one.text) != "":
			one.code = r.dialect.rules().CodeOf(one.text)
			answerErrors = append(answerErrors, one)
		case rules.IsCode(one.code):
			answerErrors = append(answerErrors, one)
		case r.badRequest():
			one.code = cmp.Or(one.code, r.ownCode())
			answerErrors = append(answerErrors, one)
		}
	}
	return answerErrors
}

// rejection returns what errors amount to. A no that comes with success or with the
// status of a server's error may follow something that was done: it needs confirmation.
func (r reply) rejection(kind fiscal.Kind, answerErrors []answerError) (*nfse.Rejection, fiscal.Handling) {
	one, handling := fiscal.Decisive(answerErrors, func(refusal answerError) fiscal.Handling {
		return r.dialect.rules().Handling(refusal.code, refusal.complement)
	})
	if handling.Ends() && r.unconfirmed() {
		handling = fiscal.NeedsConfirmation
	}
	return r.dialect.rules().Catalogue.Rejection(kind, one.code, wordsOf(answerErrors)), handling
}

// doubtful reports whether all that is refused may be false.
func doubtful(answerErrors []answerError) bool {
	return !slices.ContainsFunc(answerErrors, func(one answerError) bool { return !rules.Doubtful(one.code) })
}

// unconfirmed reports whether a no may follow something that was done all the same.
func (r reply) unconfirmed() bool { return r.Successful() || r.Status >= 500 }

// wordsOf joins what the authority said, with the codes when they are several.
func wordsOf(answerErrors []answerError) string {
	if len(answerErrors) == 1 {
		return text.Shortened(answerErrors[0].words(), maxMessage)
	}
	var said []string
	for _, one := range answerErrors {
		said = append(said, joinDistinct(": ", one.code, one.words()))
	}
	return text.Shortened(joinDistinct("; ", said...), maxMessage)
}

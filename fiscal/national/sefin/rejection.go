package sefin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/nfse"
	"emissor/text"
)

const maxMessage = 4000 // characters of a rejection's message

// isFault reports whether the system says by a code that it failed, not that it
// said no: "not catalogued" in its older and newer forms.
func isFault(code string) bool { return slices.Contains([]string{"RNG9999", "E999", "E9999"}, code) }

// badRequest reports whether the status says that the request itself is refused.
func (r reply) badRequest() bool {
	return r.Status == http.StatusBadRequest || r.Status == http.StatusUnprocessableEntity
}

// ownCode is the code of a refusal that has none: of no catalogue.
func (r reply) ownCode() string { return fmt.Sprintf("HTTP%d", r.Status) }

// refusals are the errors by which the authority says no. On a bad request any
// structured error is one. On other answers, which a gateway or a fault can give
// as well, only one with a code of the authority's.
func (r reply) refusals(body body) []answerError {
	var refusals []answerError
	for _, one := range body.errors {
		switch {
		case rules.IsCode(one.code):
			refusals = append(refusals, one)
		case r.badRequest():
			one.code = cmp.Or(one.code, r.ownCode())
			refusals = append(refusals, one)
		}
	}
	return refusals
}

// rejection returns what refusals amount to. A no that comes with success or with the
// status of a server's error may follow something that was done: it needs confirmation.
func (r reply) rejection(kind fiscal.Kind, refusals []answerError) (*nfse.Rejection, fiscal.Disposition) {
	one, disposition := fiscal.Decisive(refusals, func(refusal answerError) fiscal.Disposition {
		return rules.Disposition(refusal.code, refusal.complement)
	})
	if disposition == fiscal.Final && (r.Successful() || r.Status >= 500) {
		disposition = fiscal.NeedsConfirmation
	}
	return rules.Catalogue.Rejection(kind, one.code, wordsOf(refusals)), disposition
}

// wordsOf joins what the authority said, with the codes when they are several.
func wordsOf(refusals []answerError) string {
	if len(refusals) == 1 {
		return text.Shortened(refusals[0].words(), maxMessage)
	}
	var said []string
	for _, one := range refusals {
		said = append(said, joinDistinct(": ", one.code, one.words()))
	}
	return text.Shortened(joinDistinct("; ", said...), maxMessage)
}

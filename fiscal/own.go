package fiscal

import (
	"emissor/nfse"
	"emissor/nfse/fact"
)

// The codes of the service's own rejections that are no rules of an authority.
const (
	municipalityConflict   = string(nfse.CodeMunicipalityConflict)
	cancellationNotOffered = "cancellation_not_offered"
	blocked                = "blocked"
	analysisDenied         = "analysis_denied"
)

// own is what these codes mean, and what a person does about them.
var own = map[string]struct{ explanation, action fact.Code }{
	municipalityConflict: {fact.MunicipalityConflictExplained, fact.MunicipalityConflictAction},
	cancellationNotOffered: {
		fact.CancellationNotOfferedExplained, fact.CancellationNotOfferedAction,
	},
	blocked:        {fact.NoteBlockedExplained, fact.NoteBlockedAction},
	analysisDenied: {fact.AnalysisDeniedExplained, fact.AnalysisDeniedAction},
}

// ExplainOwn says what a code of the service's own means and what a person does about it;
// none where it is not one.
func ExplainOwn(code string) (explanation, action fact.Fact) {
	words := own[code]
	return words.explanation.Fact(), words.action.Fact()
}

// ownRejection rejects by one of these codes.
func ownRejection(code string, reason fact.Fact, field *string) nfse.Rejection {
	explanation, action := ExplainOwn(code)
	return nfse.Rejection{
		Source: nfse.RejectedByService, Code: code, Message: reason.English(), Field: field,
		Explanation: explanation.English(), Action: action.English(),
		Wording: nfse.Wording{Reason: reason, Catalogue: nfse.OwnCatalogue},
	}
}

// ConflictingMunicipality rejects a note whose zip code is in another municipality than
// declared. The service rejects it itself: the authority is never asked.
func ConflictingMunicipality() nfse.Rejection {
	return ownRejection(municipalityConflict, fact.MunicipalityConflict.Fact(), new("customer.municipality_code"))
}

// notOffered rejects a request to cancel at an authority that takes none.
var notOffered = ownRejection(cancellationNotOffered, fact.CancellationNotOffered.Fact(), nil)

// Blocked is the refusal of a cancellation that a city's block forbids. The words are the
// city's reason; empty where it gave none.
func Blocked(words string) nfse.Refusal {
	reason := fact.NoteBlocked.Fact()
	if words != "" {
		reason = fact.NoteBlockedBecause.With("words", words)
	}
	return ownRejection(blocked, reason, nil).Refusal()
}

// Denied is the refusal of a cancellation that the city has denied after an analysis. The
// words are the city's; empty where they are not known.
func Denied(words string) nfse.Refusal {
	reason := fact.AnalysisDenied.Fact()
	if words != "" {
		reason = fact.AnalysisDeniedBecause.With("words", words)
	}
	return ownRejection(analysisDenied, reason, nil).Refusal()
}

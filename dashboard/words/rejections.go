package words

import (
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/nfse"
)

// A rejection is stored in English, as the API shows it. The dashboard says it in the
// reader's language, by its code: the authority's own words stay as they are.

// ownWords are those of the service's rejections that are no rules of the catalogue.
var ownWords = map[string]text{
	"municipality_conflict.explanation": {
		"A consulta do CEP estava fora do ar quando a nota foi aceita. Feita depois, indicou outro município; por " +
			"isso nada foi enviado à autoridade.",
		"The look-up of the zip code was out when the note was accepted. Made afterwards, it named another " +
			"municipality, so nothing was sent to the authority.",
	},
	"municipality_conflict.action": {
		"Corrija o CEP ou o código do município do tomador; depois, emita de novo com outra referência.",
		"Correct the zip code or the municipality code of the customer, then issue again with a new reference.",
	},
	"cancellation_not_supported.explanation": {
		"A autoridade que emitiu a nota não tem como um programa cancelá-la; por isso não foi consultada.",
		"The authority that issued the note has no way for a program to cancel it, so it was not asked.",
	},
	"cancellation_not_supported.action": {
		"Cancele a nota no site da própria autoridade.",
		"Cancel the note at the authority's own site.",
	},
	"blocked.explanation": {
		"O município bloqueou o cancelamento desta nota no sistema nacional (evento 305102); por isso a autoridade " +
			"não foi consultada.",
		"The city has blocked the cancellation of this note at the national system (event 305102), so the authority " +
			"was not asked.",
	},
	"blocked.action": {
		"Peça ao município que retire o bloqueio; depois, cancele de novo.",
		"Ask the city to lift the block; then cancel again.",
	},
}

// remarks end the explanation of a rejection that the authority did not make.
var remarks = []text{
	{" O próprio Emissor verificou isto: nada foi enviado à autoridade.",
		" Emissor checked this itself: nothing was sent to the authority."},
	{" (Simulado: esta nota pediu uma rejeição.)", " (Simulated: this note asked for a rejection.)"},
}

// Rejection says why a note was rejected; nil for none.
func (l Language) Rejection(stored *nfse.Rejection) *nfse.Rejection {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	said.Explanation, said.Action = l.explained(fiscal.Issue, stored.Code, stored.Explanation, stored.Action)
	if stored.Source == nfse.RejectedByService {
		said.Message = l.Recorded(stored.Message)
	}
	return &said
}

// Refusal says why a cancellation was refused; nil for none.
func (l Language) Refusal(stored *nfse.Refusal) *nfse.Refusal {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	said.Explanation, said.Action = l.explained(fiscal.Cancel, stored.Code, stored.Explanation, stored.Action)
	said.Message = l.Recorded(stored.Message)
	return &said
}

// Meaning says what a code means and what to do about it where no rejection is at
// hand, as in figures; empty where it is none of the catalogue, nor ours.
func (l Language) Meaning(kind fiscal.Kind, code string) (explanation, action string) {
	if own, is := ownWords[code+".explanation"]; is {
		return l.of(own), l.of(ownWords[code+".action"])
	}
	portuguese, does, known := rules.ExplainInPortuguese(kind, code)
	if !known {
		return "", ""
	}
	if l == English {
		portuguese, does, _ = rules.Explain(kind, code)
	}
	return portuguese, does
}

// explained are the words for a stored rejection. They stay as they were stored where
// the code is unknown, or another authority's; those of the catalogue for unknown codes
// are known.
func (l Language) explained(kind fiscal.Kind, code, explanation, action string) (meaning, does string) {
	if meaning, does = l.Meaning(kind, code); meaning != "" {
		for _, remark := range remarks {
			if strings.HasSuffix(explanation, remark.english) {
				meaning += l.of(remark)
			}
		}
		return meaning, does
	}
	if general, _, _ := rules.Explain(kind, code); general == explanation {
		meaning, does, _ = rules.ExplainInPortuguese(kind, code)
		return meaning, does
	}
	return explanation, action
}

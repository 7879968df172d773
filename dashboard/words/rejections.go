package words

import (
	"strings"

	"emissor/fiscal"
	national "emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
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
// hand, as in figures: what the authority means by it, or else the other one. Empty
// where it is none of a catalogue, nor ours.
func (l Language) Meaning(authority string, kind fiscal.Kind, code string) (explanation, action string) {
	if own, is := ownWords[code+".explanation"]; is {
		return l.of(own), l.of(ownWords[code+".action"])
	}
	for _, one := range catalogues {
		if one.knows(code) && (authority == one.authority || explanation == "") {
			explanation, action = one.said(l, kind, code)
		}
	}
	return explanation, action
}

// explained are the words for a stored rejection: of the catalogue by whose words it was
// stored, also where they are those for unknown codes; or else of the only one that
// knows the code, as the words may be of another version. They stay as they were stored
// where no catalogue is found, or several are.
func (l Language) explained(kind fiscal.Kind, code, explanation, action string) (meaning, does string) {
	plain, remark := explanation, text{}
	for _, one := range remarks {
		if before, ends := strings.CutSuffix(explanation, one.english); ends {
			plain, remark = before, one
		}
	}
	if own, is := ownWords[code+".explanation"]; is {
		return l.of(own) + l.of(remark), l.of(ownWords[code+".action"])
	}
	one := catalogueOf(kind, code, plain)
	if one == nil {
		return explanation, action
	}
	meaning, does = one.said(l, kind, code)
	return meaning + l.of(remark), does
}

// catalogueOfRules is that of an authority: what its codes mean, and those of ours.
type catalogueOfRules struct {
	authority    string
	explain      func(fiscal.Kind, string) (explanation, action string, field *string)
	inPortuguese func(fiscal.Kind, string) (explanation, action string, known bool)
}

var catalogues = []catalogueOfRules{
	{"national", national.Explain, national.ExplainInPortuguese},
	{saopaulo.Name, saopaulo.Explain, saopaulo.ExplainInPortuguese},
}

func (c catalogueOfRules) knows(code string) bool {
	_, _, known := c.inPortuguese(fiscal.Issue, code)
	return known
}

func (c catalogueOfRules) said(l Language, kind fiscal.Kind, code string) (explanation, action string) {
	if l == English {
		explanation, action, _ = c.explain(kind, code)
	} else {
		explanation, action, _ = c.inPortuguese(kind, code)
	}
	return explanation, action
}

// catalogueOf finds the catalogue that explains a code in these words, or the only one
// that knows it; nil where there is none. Codes alone do not tell: ours are of both.
func catalogueOf(kind fiscal.Kind, code, explanation string) (found *catalogueOfRules) {
	several := false
	for i := range catalogues {
		one := &catalogues[i]
		if english, _, _ := one.explain(kind, code); english == explanation {
			return one
		}
		if one.knows(code) {
			found, several = one, found != nil
		}
	}
	if several {
		return nil
	}
	return found
}

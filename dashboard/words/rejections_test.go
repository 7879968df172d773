package words

import (
	"reflect"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// stored is a rejection as the authority's answer is stored.
func stored(kind fiscal.Kind, code string) *nfse.Rejection {
	explanation, action, field := rules.Catalogue.Explain(kind, code)
	return &nfse.Rejection{Source: nfse.RejectedByAuthority, Code: code, Message: "Rejeitada.", Field: field,
		Explanation: explanation, Action: action, Wording: nfse.Wording{Catalogue: rules.Name}}
}

func TestRejection_EveryRule(t *testing.T) {
	for _, rule := range append(rules.Catalogue.All(), rulecatalogue.Rule{Code: "E9123"}) {
		before := stored(fiscal.Issue, rule.Code)
		explanation, action, _ := rules.Catalogue.ExplainInPortuguese(fiscal.Issue, rule.Code)
		want := *before
		want.Explanation, want.Action = explanation, action
		if said := Portuguese.Rejection(before); !reflect.DeepEqual(*said, want) {
			t.Errorf("%s: %+v", rule.Code, said)
		}
		if before.Explanation == explanation || before.Action == action {
			t.Errorf("%s: the stored rejection was changed", rule.Code)
		}
		if said := English.Rejection(before); said != before {
			t.Errorf("%s in English: %+v", rule.Code, said)
		}
	}
}

// The city of São Paulo has codes of its own, and words of its own for ours.
func TestRejection_EveryRuleOfSaoPaulo(t *testing.T) {
	for _, rule := range append(saopaulo.Catalogue.All(), rulecatalogue.Rule{Code: "4711"}) {
		for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
			explanation, action, field := saopaulo.Catalogue.Explain(kind, rule.Code)
			before := nfse.Rejection{Source: nfse.RejectedByAuthority, Code: rule.Code, Message: "Rejeitada.",
				Field: field, Explanation: explanation, Action: action,
				Wording: nfse.Wording{Catalogue: saopaulo.Name}}
			want := before
			want.Explanation, want.Action, _ = saopaulo.Catalogue.ExplainInPortuguese(kind, rule.Code)
			if want.Explanation == explanation || want.Action == action {
				t.Errorf("%s (%s) is not translated: %+v", rule.Code, kind, want)
			}
			if kind == fiscal.Issue {
				if said := Portuguese.Rejection(&before); !reflect.DeepEqual(*said, want) {
					t.Errorf("%s: %+v", rule.Code, said)
				}
				continue
			}
			refusal := before.Refusal()
			if said := Portuguese.Refusal(&refusal); !reflect.DeepEqual(*said, want.Refusal()) {
				t.Errorf("the cancellation, %s: %+v", rule.Code, said)
			}
		}
	}
}

// A code is explained by the catalogue that was stored with it, no matter which words were stored and which other
// catalogue has the code.
func TestRejection_ByTheStoredCatalogue(t *testing.T) {
	const code = "amount_out_of_range" // of both
	before := nfse.Rejection{Source: nfse.RejectedByAuthority, Code: code, Message: "Não.", Explanation: "Why.",
		Action: "What."}
	for name, explain := range map[string]func(fiscal.Kind, string) (explanation, action string, known bool){
		rules.Name: rules.Catalogue.ExplainInPortuguese, saopaulo.Name: saopaulo.Catalogue.ExplainInPortuguese,
	} {
		explanation, action, known := explain(fiscal.Issue, code)
		before.Catalogue = name
		if said := Portuguese.Rejection(&before); !known || said.Explanation != explanation || said.Action != action {
			t.Errorf("%s: %+v", name, said)
		}
	}
}

// A note that was issued is not issued again because cancelling it was refused.
func TestRefusal_OfACancellation(t *testing.T) {
	for code, action := range map[string]string{
		"E0822": "A nota continua emitida. Peça ao município a análise fiscal, na página da nota",
		"E0190": "A nota continua emitida. Peça o cancelamento de novo mais tarde.", // of documents
		"E9123": "A nota continua emitida. Peça o cancelamento de novo mais tarde.", // unknown
	} {
		refusal := stored(fiscal.Cancel, code).Refusal()
		if said := Portuguese.Refusal(&refusal); !strings.HasPrefix(said.Action, action) ||
			said.Explanation == refusal.Explanation || said.Message != refusal.Message {
			t.Errorf("%s: %+v", code, said)
		}
	}
	if Portuguese.Refusal(nil) != nil || Portuguese.Rejection(nil) != nil {
		t.Error("something is said of nothing")
	}
}

// What the service rejects by itself says so, in the reader's language too.
func TestRejection_CheckedByTheService(t *testing.T) {
	said := Portuguese.Rejection(rules.Check(fiscal.Declaration{}))
	if said.Message != "Não se pode emitir com o perfil fiscal da empresa: tax_id não é um CPF ou CNPJ com dígitos "+
		"verificadores certos." || !strings.HasSuffix(said.Explanation, "errados. O próprio Emissor verificou isto: "+
		"nada foi enviado à autoridade.") || !strings.Contains(said.Action, "Empresa › Perfil fiscal") {
		t.Errorf("%+v", said)
	}
}

func TestRejection_Simulated(t *testing.T) {
	rejection := simulation.Reject(nfse.Note{Customer: nfse.CustomerSnapshot{TaxID: "12345678909"}})
	said := Portuguese.Rejection(&rejection)
	if !strings.HasSuffix(said.Explanation, "competência. (Simulado: esta nota pediu uma rejeição.)") ||
		said.Message != rejection.Message {
		t.Errorf("%+v", said)
	}
}

// Where nothing is known of what words were made of they stay as they were stored: those of
// an authority, or a version, that is no more.
func TestRejection_StrangeWordsStay(t *testing.T) {
	for _, catalogue := range []string{"", "rio"} {
		before := nfse.Rejection{Source: nfse.RejectedByAuthority, Code: "206", Message: "Não.", Explanation: "Why.",
			Action: "What.", Wording: nfse.Wording{Catalogue: catalogue}}
		if said := Portuguese.Rejection(&before); !reflect.DeepEqual(*said, before) {
			t.Errorf("%+v", said)
		}
	}
	if explanation, action := Portuguese.Meaning("national", fiscal.Issue, "RJ-12"); explanation+action != "" {
		t.Errorf("%q, %q", explanation, action)
	}
}

// What the service rejects by no rule of an authority is said in both languages, and is in
// no other catalogue.
func TestRejection_OfOurOwn(t *testing.T) {
	conflict, blocked := fiscal.ConflictingMunicipality(), fiscal.Blocked("<pendência>")
	said := Portuguese.Rejection(&conflict)
	if said.Message != "o CEP do tomador é de outro município que não o declarado" ||
		!strings.HasPrefix(said.Explanation, "A consulta do CEP estava fora do ar") ||
		!strings.HasSuffix(said.Action, "emita de novo com outra referência.") ||
		said.Explanation == conflict.Explanation {
		t.Errorf("%+v", said)
	}
	refused := Portuguese.Refusal(&blocked)
	if refused.Message != "a nota está bloqueada pelo município: <pendência>" ||
		blocked.Message != "the note is blocked by the city: <pendência>" ||
		!strings.HasPrefix(refused.Explanation, "O município bloqueou") ||
		refused.Action != "Peça ao município que retire o bloqueio; depois, cancele de novo." {
		t.Errorf("%+v", refused)
	}
	for _, code := range []string{conflict.Code, blocked.Code} {
		if _, _, isRule := rules.Catalogue.ExplainInPortuguese(fiscal.Issue, code); isRule {
			t.Errorf("%s is a rule of the catalogue", code)
		}
	}
}

func TestMeaning(t *testing.T) {
	for _, code := range []string{"E0190", "blocked", "municipality_code_conflict", "text_too_long", "206"} {
		for _, language := range Languages {
			explanation, action := language.Meaning("national", fiscal.Issue, code)
			if explanation == "" || action == "" {
				t.Errorf("%s has no meaning (%s)", code, language)
			}
		}
	}
	explanation, _ := English.Meaning("national", fiscal.Issue, "E0190")
	if english, _, _ := rules.Catalogue.Explain(fiscal.Issue, "E0190"); explanation != english {
		t.Errorf("%q", explanation)
	}
	for authority, want := range map[string]string{
		"national":  "O valor não é um que a nota possa ter: de 0,01 a 9.999.999.999.999,99.",
		"sao-paulo": "O valor é maior do que uma nota pode ter.",
	} {
		if explanation, _ := Portuguese.Meaning(authority, fiscal.Issue, "amount_out_of_range"); explanation != want {
			t.Errorf("%s: %q", authority, explanation)
		}
	}
}

// The places that an action leads to are called as the menu and the pages call them.
func TestRejection_PlacesAreThoseOfTheDashboard(t *testing.T) {
	services, customers := Portuguese.Say("section.services"), Portuguese.Say("section.customers")
	company := Portuguese.Say("section.company") + " › "
	for authority, places := range map[string]map[string]string{
		"national": {"E0206": customers, "E0310": services, "E0718": company, "fiscal_profile_invalid": company +
			Portuguese.Say("company.profile")},
		"sao-paulo": {"302": customers, "306": services, "1107": company, "fiscal_profile_invalid": company +
			Portuguese.Say("company.profile")},
	} {
		for code, place := range places {
			if _, action := Portuguese.Meaning(authority, fiscal.Issue, code); !strings.Contains(action, " em "+place) {
				t.Errorf("%s, %s: %q does not lead to %s", authority, code, action, place)
			}
		}
	}
	if held := fact.SeriesHeld.With("why", fact.InWords("x")).Portuguese(); !strings.Contains(held,
		company+Portuguese.Say("company.numbers")) {
		t.Errorf("%q", held)
	}
}

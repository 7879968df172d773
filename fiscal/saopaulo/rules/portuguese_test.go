package rules

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// everyRule is every rule, and the words for unknown codes.
func everyRule() []rulecatalogue.Rule {
	return append(Catalogue.All(), Catalogue.General(fiscal.Issue), Catalogue.General(fiscal.Cancel))
}

func TestPortuguese_WordsAreSentences(t *testing.T) {
	own := regexp.MustCompile(`(?i)\b(o|a|os|as|um|uma|de|do|da|dos|das|não|no|na|com|é|e|em)\b`)
	english := regexp.MustCompile(`(?i)\b(the|is|are|was|and|with|not|that|this|has|have|must|may|from|by|to|in|it|` +
		`issue|note|code|rate|city|service|customer|issuer|report|operators|authority|registration)\b`)
	quoted := regexp.MustCompile("`[^`]*`|\\([^)]*\\)")
	sentence := func(what, text string, most int) {
		plain := quoted.ReplaceAllString(text, "")
		plain = strings.ReplaceAll(strings.ReplaceAll(plain, "web service", ""), "EMISSOR", "")
		switch {
		case len([]rune(text)) < 20 || len([]rune(text)) > most:
			t.Errorf("%s has %d characters: %q", what, len([]rune(text)), text)
		case !unicode.IsUpper([]rune(text)[0]) || !strings.HasSuffix(text, "."):
			t.Errorf("%s is no sentence: %q", what, text)
		case strings.Contains(text, "  ") || strings.ContainsAny(plain, "{}<>_|\t") || strings.Contains(plain, ".."):
			t.Errorf("%s has something left over: %q", what, text)
		case english.MatchString(plain) || !own.MatchString(plain):
			t.Errorf("%s is no Portuguese: %q, %q", what, text, english.FindAllString(plain, -1))
		}
	}
	explained := map[string]string{}
	for _, rule := range everyRule() {
		said := rule.Portuguese
		if other, taken := explained[said.Explanation]; taken {
			t.Errorf("%s and %s have one explanation: %q", other, rule.Code, said.Explanation)
		}
		explained[said.Explanation] = rule.Code
		if said.Explanation == rule.Explanation || said.Action == rule.Action {
			t.Errorf("%s is not translated", rule.Code)
		}
		sentence("the explanation of "+rule.Code, said.Explanation, 220)
		sentence("the action of "+rule.Code, said.Action, 320)
	}
}

// What the English words name by an exact name, these name too.
func TestPortuguese_NamesWhatTheEnglishNames(t *testing.T) {
	exact := regexp.MustCompile(`\b(?:RPS|TLS|ISS|IBS|CBS|PIS/PASEP|COFINS|CSLL|IRRF|INSS|CNPJ|CPF|CEI|MEI|NBS|NCM|` +
		`CIB|Simples Nacional|ICP-Brasil|IBGE|LC 116|KB|Nota Fiscal Paulistana|cIndOp|cClassTrib|finNFSe|indFinal|` +
		`tpOper|` +
		`\d+)\b`)
	for _, rule := range everyRule() {
		said := rule.Portuguese.Explanation
		for _, name := range exact.FindAllString(rule.Explanation, -1) {
			if !strings.Contains(said, name) {
				t.Errorf("%s does not name %s: %q", rule.Code, name, said)
			}
		}
	}
}

// An action in Portuguese leads to the place of the dashboard where the English one
// names a command or a field, and makes the same promises.
func TestPortuguese_ActionsLeadToTheDashboard(t *testing.T) {
	for _, rule := range everyRule() {
		action := rule.Portuguese.Action
		for english, own := range map[string]string{
			"`emissor fiscal-profile": "Empresa › Perfil fiscal", "`emissor certificate add`": "Empresa › Certificados",
			"`emissor service classify`": "Serviços", "service's municipal_tax_code": "Serviços",
			"service's municipal_taxation": "Serviços", "service's iss_rate": "Serviços",
			"service's municipality_code": "Serviços", "customer's address": "Clientes",
			"new reference": "outra referência", "The note stays issued.": "A nota continua emitida.",
			"Nothing was issued.": "Nada foi emitido.", "the accountant": "o contador", "city's site": "site",
			"tax office": "Fazenda", "cancel again": "cancelamento de novo", "continues by itself": "continua sozinha",
			"operators of Emissor": "operadores do Emissor", "takes the next number": "toma o próximo número",
		} {
			if strings.Contains(rule.Action, english) && !strings.Contains(action, own) {
				t.Errorf("%s: %q becomes %q, without %q", rule.Code, rule.Action, action, own)
			}
		}
		if strings.Contains(action, "emissor ") {
			t.Errorf("%s names a command, which the dashboard has a place for: %q", rule.Code, action)
		}
	}
}

func TestExplainInPortuguese(t *testing.T) {
	explanation, action, known := Catalogue.ExplainInPortuguese(fiscal.Issue, "4711")
	general := Catalogue.General(fiscal.Issue).Portuguese
	if known || explanation != general.Explanation || action != general.Action {
		t.Errorf("%q, %q, %t", explanation, action, known)
	}
	// The error, not the alert of the same code.
	if explanation, _, known := Catalogue.ExplainInPortuguese(fiscal.Issue, "301"); !known ||
		explanation != "O tomador é o próprio prestador." {
		t.Errorf("%q, %t", explanation, known)
	}
	if explanation, _, known := Catalogue.ExplainInPortuguese(fiscal.Issue, "217"); !known ||
		explanation != "Existia uma nota deste RPS: a prefeitura a cancelou e emitiu outra." {
		t.Errorf("%q, %t", explanation, known)
	}
}

// A note that stays issued because cancelling it was refused is not issued again.
func TestExplain_OfACancellation(t *testing.T) {
	for _, rule := range append(Catalogue.All(), rulecatalogue.Rule{Code: "4711"}) {
		_, action, _ := Catalogue.Explain(fiscal.Cancel, rule.Code)
		meaning, inPortuguese, _ := Catalogue.ExplainInPortuguese(fiscal.Cancel, rule.Code)
		if meaning == "" || strings.Contains(action, "issue again") || strings.Contains(inPortuguese, "emita de novo") {
			t.Errorf("%s: %q, %q", rule.Code, action, inPortuguese)
		}
	}
}

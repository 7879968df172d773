package rules

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

// Every rule, and the words for unknown codes, in the order of the English ones.
func everyRule() []rulecatalogue.Rule {
	return append(Catalogue.All(), Catalogue.General(fiscal.Issue), Catalogue.General(fiscal.Cancel))
}

// englishWords are none of Portuguese, however they are written.
var englishWords = regexp.MustCompile(`(?i)\b(the|is|are|was|and|with|not|that|this|has|have|must|may|from|by|` +
	`to|in|it|its|issue|note|code|rate|city|service|customer|issuer|provider|price|report|operators|authority)\b`)

func TestPortuguese_WordsAreSentences(t *testing.T) {
	own := regexp.MustCompile(`(?i)\b(o|a|os|as|um|uma|de|do|da|dos|das|não|no|na|com|é|e|em)\b`)
	quoted := regexp.MustCompile("`[^`]*`|\\([^)]*\\)")
	sentence := func(what, text string, most int) {
		plain := quoted.ReplaceAllString(text, "")
		switch {
		case len([]rune(text)) < 20 || len([]rune(text)) > most:
			t.Errorf("%s has %d characters: %q", what, len([]rune(text)), text)
		case !unicode.IsUpper([]rune(text)[0]) || !strings.HasSuffix(text, "."):
			t.Errorf("%s is no sentence: %q", what, text)
		case strings.Contains(text, "  ") || strings.Contains(text, "..") || strings.ContainsAny(plain, "{}<>_|\t"):
			t.Errorf("%s has something left over: %q", what, text)
		case englishWords.MatchString(plain) || !own.MatchString(plain):
			t.Errorf("%s is no Portuguese: %q, %q", what, text, englishWords.FindAllString(plain, -1))
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

// What the English words name by an exact name, these name too: elements and codes of
// the layout, amounts, items of the list, and what a code is told apart by.
func TestPortuguese_NamesWhatTheEnglishNames(t *testing.T) {
	exact := regexp.MustCompile(`\b(?:NFS-e|NF-e|DPS|ISS|IBS|CBS|PIS|COFINS|CSLL|CNPJ|CPF|MEI|ME/EPP|NBS|CIB|` +
		`Simples Nacional|UTF-8|base64|XML|ICP-Brasil|NT 009|IBGE|CST\w*|[cgt][A-Z]\w+|atvEvento|obra|` +
		`\d\d\.\d\d(?:\.\d\d)?|20\d\d|E\d{4})\b`)
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
// names a command, and keeps the commands that only operators have.
func TestPortuguese_ActionsLeadToTheDashboard(t *testing.T) {
	for _, rule := range everyRule() {
		action := rule.Portuguese.Action
		for english, own := range map[string]string{
			"`emissor fiscal-profile": "Empresa › Perfil fiscal", "`emissor certificate add`": "Empresa › Certificados",
			"`emissor service classify`": "Serviços", "correct the service": "Serviços",
			"service's iss_rate": "Serviços", "with a new reference": "outra referência",
			"The note stays issued.": "A nota continua emitida.", "Nothing was issued.": "Nada foi emitido.",
			"Nothing to do": "Nada a fazer", "the accountant": "o contador", "city hall": "prefeitura",
			"`emissor municipality show`": "`emissor municipality show`", "cancel again": "cancelamento de novo",
			"operators of Emissor": "operadores do Emissor", "national portal": "portal nacional",
		} {
			if strings.Contains(rule.Action, english) != strings.Contains(action, own) &&
				strings.Contains(rule.Action, english) {
				t.Errorf("%s: %q becomes %q, without %q", rule.Code, rule.Action, action, own)
			}
		}
	}
}

func TestExplainInPortuguese_UnknownCode(t *testing.T) {
	explanation, action, known := Catalogue.ExplainInPortuguese(fiscal.Issue, "E9123")
	general := Catalogue.General(fiscal.Issue).Portuguese
	if known || explanation != general.Explanation || action != general.Action {
		t.Errorf("%q, %q, %t", explanation, action, known)
	}
}

// The same promises as in English: a note that stays issued is not issued again, and
// one that was refused is not said to stay.
func TestExplainInPortuguese_OfTheKindOfExchange(t *testing.T) {
	for _, rule := range append(Catalogue.All(), rulecatalogue.Rule{Code: "E9123"}) {
		for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
			meaning, action, _ := Catalogue.ExplainInPortuguese(kind, rule.Code)
			stays := strings.Contains(action, "continua emitida")
			again := strings.Contains(action, "emita de novo") || strings.Contains(action, "Nada foi emitido")
			if meaning == "" || action == "" || kind == fiscal.Cancel && again || kind == fiscal.Issue && stays {
				t.Errorf("%s (%s): %q, %q", rule.Code, kind, meaning, action)
			}
		}
	}
}

package catalogues

import (
	"slices"

	"emissor/dashboard/frame"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

// question is a part of a classification as people are asked for it: each card is one of its codes in words.
// No card is of a code that the authority's tables do not have today.
type question struct {
	Part, Shown string // the name of the part, and its code when the page was made
	Cards       []card
	More        []cardGroup // the other codes of the table, by what they are
}

type card struct {
	Name, Code  string // of the field, and what it sends
	Text, About string // in the reader's language, but for names of services: those are Portuguese
	Checked     bool
}

type cardGroup struct {
	Name  string
	Open  bool // one of its cards is chosen
	Cards []card
}

// cardParts are the parts that are asked for by cards beside a field for the code itself.
var cardParts = []string{"nbs", "cindop", "cclasstrib"}

// likeliest is how many services of Annex B are offered for words.
const likeliest = 6

// ask makes the questions: what Annex VIII says of the service's national tax code comes first, where that
// table was imported; else services by their words, and every code of the other tables.
func (p *classificationPage) ask(r *frame.Request, tables classification.Tables) {
	services := question{Part: "nbs", Shown: p.Form.Value("nbs")}
	places := question{Part: "cindop", Shown: p.Form.Value("cindop")}
	treatments := question{Part: "cclasstrib", Shown: p.Form.Value("cclasstrib")}
	code := nfse.OrEmpty(p.Service.NationalTaxCode)
	listed, _ := tables.ServiceCode(code)
	var offered [3][]string
	for _, one := range tables.Suggest(code) {
		if one.Unusable == "" {
			offered[0] = append(offered[0], one.NBS)
			offered[1], offered[2] = append(offered[1], one.CIndOp), append(offered[2], one.CClassTrib)
		}
	}
	if typed := p.Form.Trimmed("words"); typed != "" || offered[0] == nil {
		if typed == "" {
			typed = p.Service.Name + " " + listed
		}
		for _, found := range tables.FindNBS(typed, likeliest) {
			offered[0] = append(offered[0], found.Code)
		}
	}
	for _, nbs := range append(offered[0], services.Shown) {
		if name, known := tables.NBS(nbs); known {
			services.add(card{Code: nbs, Text: name}, true)
		}
	}
	for _, row := range tables.IndOps() {
		places.add(card{Code: row.Code, Text: r.Language.TableWords(row.Place), About: r.Language.TableWords(row.Name)},
			slices.Contains(offered[1], row.Code))
	}
	for _, row := range tables.UsableClassTribs() {
		cst, _ := tables.CST(row.Code[:3])
		treatments.add(card{Code: row.Code, Text: r.Language.ClassName(row.Name), About: r.Language.TableWords(cst.Name)},
			slices.Contains(offered[2], row.Code))
	}
	p.Questions = []question{services, places, treatments}
	for _, value := range []string{"true", "false", ""} {
		p.Whom = append(p.Whom, card{Name: "indfinal", Code: value, Text: r.Language.Say("classify.whom." + value),
			Checked: value == p.Form.Value("indfinal") && (value != "" || p.Answered)})
	}
}

// add adds a card to those that are offered first, or else to its group.
func (q *question) add(one card, offered bool) {
	one.Name, one.Checked = "card-"+q.Part, one.Code == q.Shown
	if offered {
		if !slices.ContainsFunc(q.Cards, func(other card) bool { return other.Code == one.Code }) {
			q.Cards = append(q.Cards, one)
		}
		return
	}
	i := slices.IndexFunc(q.More, func(group cardGroup) bool { return group.Name == one.About })
	if i < 0 {
		i, q.More = len(q.More), append(q.More, cardGroup{Name: one.About})
	}
	one.About = ""
	q.More[i].Cards, q.More[i].Open = append(q.More[i].Cards, one), q.More[i].Open || one.Checked
}

// takeCards puts the codes of the cards that were chosen into the form. A code that was typed counts more
// than the card that was chosen before.
func (p *classificationPage) takeCards(r *frame.Request) {
	for _, part := range cardParts {
		typed, chosen := p.Form.Values[part], r.PostForm.Get("card-"+part)
		if chosen == "" || chosen == typed || typed != r.PostForm.Get("shown-"+part) {
			continue
		}
		p.Form.Values[part], p.Chosen = chosen, true
		if part == "cclasstrib" {
			p.Form.Values["cst"] = chosen[:min(3, len(chosen))]
		}
	}
}

// unusual reports whether Annex VIII, where it was imported, does not have the codes together.
func (p classificationPage) unusual(tables classification.Tables, c nfse.Classification) bool {
	return tables.HasCorrelation() && !slices.ContainsFunc(tables.Suggest(nfse.OrEmpty(p.Service.NationalTaxCode)),
		func(one classification.Suggestion) bool {
			return (one.NBS == "" || one.NBS == c.NBS) && one.CIndOp == c.CIndOp && one.CClassTrib == c.CClassTrib
		})
}

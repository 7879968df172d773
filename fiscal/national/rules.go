package national

import (
	"slices"
	"strings"

	"emissor/fiscal"
)

// rule is one of the authority's rules, or of ours, in our words.
type rule struct {
	code        string
	field       string // of the API that it is about; empty when none
	explanation string // what it means
	action      string // what to do
	how         disposition
}

// disposition is what we do about a rule. A test ties it to facts: impossible
// to random documents as rendered, checked to a document that the check refuses.
type disposition struct {
	kind   kind
	why    string
	proofs []proof
}

type kind string

const (
	impossible kind = "impossible by construction"
	checked    kind = "checked before sending"
	left       kind = "left to the authority"
)

// proof is what every rendering shows of an element, named by its path from the
// root: that it is always there, that it never is, or the only values it has.
type proof struct {
	path   string
	always bool
	values []string
}

func always(path string) proof                 { return proof{path: path, always: true} }
func never(path string) proof                  { return proof{path: path} }
func only(path string, values ...string) proof { return proof{path: path, values: values} }

func cannot(why string, by ...proof) disposition { return disposition{impossible, why, by} }
func checks(why string) disposition              { return disposition{kind: checked, why: why} }
func leave(why string) disposition               { return disposition{kind: left, why: why} }

// Fields of the API.
const (
	fieldDocument     = "customer.document"
	fieldName         = "customer.name"
	fieldEmail        = "customer.email"
	fieldAddress      = "customer.address"
	fieldStreet       = "customer.address.street"
	fieldNumber       = "customer.address.number"
	fieldDistrict     = "customer.address.district"
	fieldComplement   = "customer.address.complement"
	fieldZipCode      = "customer.address.zip_code"
	fieldMunicipality = "customer.municipality_code"
	fieldNationalCode = "service.national_tax_code"
	fieldRate         = "service.iss_rate"
	fieldDescription  = "service.description"
	fieldPlace        = "service.municipality_code"
	fieldAmount       = "amount_cents"
	fieldWithheld     = "iss_withheld"
)

// catalogue is every rule that we know, in the order of the authority's tables.
var catalogue = slices.Concat(
	rulesOfNote, rulesOfDocument, rulesOfSubstitution, rulesOfIssuer, rulesOfTaker, rulesOfIntermediary,
	rulesOfService, rulesOfForeignTrade, rulesOfWorks, rulesOfValues, rulesOfDeductions, rulesOfSuppliers,
	rulesOfISS, rulesOfBenefits, rulesOfWithholding, rulesOfRate, rulesOfFederalTaxes, rulesOfTotalTaxes,
	rulesOfSignature, rulesOfCancellation, rulesOfOtherEvents, rulesOfTransport, rulesOfOurs,
)

var ruleByCode = func() map[string]rule {
	byCode := make(map[string]rule, len(catalogue))
	for _, r := range catalogue {
		byCode[r.code] = r
	}
	return byCode
}()

// unknownRule is what we say of a code that we do not know.
var unknownRule = rule{
	explanation: "The authority refused the document with a code that Emissor does not know; its own message is the best explanation.",
	action:      "Read the authority's message and correct what it names. If it names nothing of the request, ask the operators of Emissor." + again,
}

// explain says in our words what a code means and what to do; field is the
// field of the API that it is about, nil when none. An unknown code gets the
// general words.
func explain(code string) (explanation, action string, field *string) {
	r, known := ruleByCode[code]
	if !known {
		r = unknownRule
	}
	if r.field != "" {
		field = &r.field
	}
	return r.explanation, r.action, field
}

// explainRefusal does the same for a refused cancellation: the note exists and
// stays issued, whatever the code says of documents.
func explainRefusal(code string) (explanation, action string) {
	if slices.ContainsFunc(rulesOfCancellation, func(r rule) bool { return r.code == code }) {
		explanation, action, _ = explain(code)
		return explanation, action
	}
	explanation = "The authority refused the cancellation with a code that Emissor does not know; its own message is the best explanation."
	if known, found := ruleByCode[code]; found {
		explanation = known.explanation
	}
	return explanation, noteStays + "Ask to cancel again later. If it is refused again, report it to the operators of Emissor, or cancel at the authority's site."
}

// treatment is what a rejection with this code asks for. The complement is the
// validator's text that comes with a code of the schema.
func treatment(code, complement string) fiscal.Treatment {
	switch code {
	case "E1206", "E1217":
		return fiscal.TryLater
	case "E0008":
		return fiscal.RenderAgain
	case "E1235", "RNG6110":
		if asksForNextLayout(complement) {
			return fiscal.RenderAgain
		}
	case "E0014", "E0802", "E1805":
		return fiscal.Collision
	case "E0840":
		return fiscal.Barred
	case "E1200", "E1203", "E1205", "E1207", "E1208", "E1209", // of the connection
		"E0715", "E0716", "E0718", "E1983", "E1986", "E1991": // of the signature
		return fiscal.Certificate
	}
	return fiscal.Final
}

// asksForNextLayout reports whether the schema expected an element that only
// the next layout, NT 009, has where ours has another.
func asksForNextLayout(complement string) bool {
	_, expected, found := strings.Cut(strings.ToLower(complement), "expected")
	return found && strings.Contains(expected, "finnfse")
}

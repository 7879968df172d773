package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/description"
	"emissor/nfse"
)

// replacement is how the national system lets a note be replaced (group subst).
var replacement = description.Replacement{
	Reasons:  replacementReasons,
	Fits:     reasonFits,
	Original: replacedNote,
	Locked: func(issuer nfse.FiscalProfile) []string {
		if issuer.Simples == nfse.SimplesNone {
			return []string{"competence", "service"} // E0060
		}
		return []string{"competence", "tax_id", "amount_cents"} // E0061
	},
	Check: func(declaration fiscal.Declaration) *nfse.Rejection {
		if found := replacementViolation(declaration); found != nil {
			return Catalogue.Refuse(found)
		}
		return nil
	},
	RuleAgainst: func(eventType string) string { return replacementBars[eventType] },
}

// reasonFits reports whether a note can be replaced for a reason: 01 is of a company that has left the Simples
// since, 02 of one that has entered it (cMotivo).
func reasonFits(reason string, before, now nfse.FiscalProfile) bool {
	was, is := before.Simples != nfse.SimplesNone, now.Simples != nfse.SimplesNone
	switch reason {
	case "01":
		return was && !is
	case "02":
		return !was && is
	}
	return true
}

// replacementBars are the events after which a note is not replaced: its confirmation by the
// provider, the taker or the intermediary, and the tacit one.
var replacementBars = map[string]string{"202201": "E0070", "203202": "E0070", "204203": "E0070", "205204": "E0072"}

// replacedNote is what of a note, as it was declared, must stay in one that replaces it.
func replacedNote(declaration fiscal.Declaration) nfse.ReplacedNote {
	note := declaration.Note
	taker, nif := note.Customer.TaxID, ""
	if foreign := declaration.Details.ForeignTaker; foreign != nil {
		taker, nif = "", foreign.NIF
	}
	code := ""
	if note.Service.NationalTaxCode != nil { // a service may have lost it since
		code = *note.Service.NationalTaxCode
	}
	return nfse.ReplacedNote{
		Competence: note.Competence, NationalTaxCode: code,
		MunicipalityCode: place(declaration).Municipality, Country: place(declaration).Country,
		TaxID: taker, NIF: nif, AmountCents: note.AmountCents,
	}
}

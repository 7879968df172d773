package classification

import (
	"slices"

	"emissor/fiscal/taxes"
	"emissor/nfse"
)

var (
	// unconfirmed are listed since v1.70, and were not known yet to the calculator by which SEFIN decides.
	unconfirmed = []string{"000006", "200055", "200056"}
	// elsewhere are the codes of Annex C that name another place in Annex VII, for the layout of NT 009.
	elsewhere = []string{"030102", "050102"}
	// dropped are those that Annex VII no longer has.
	dropped = []string{"030103", "030104", "050103", "050104"}
	// atRecipient take place at the recipient's address alone.
	atRecipient = []string{"030103", "050103"}
)

const roadsOnly = "080101" // of NFS-e Via

// Warning is what the person who chose a classification should know although nothing is wrong with it.
type Warning struct {
	Kind string // unconfirmed, ends, elsewhere, dropped, roads, recipient or unlinked
	Code string
	Day  string // of what ends; since when links are applied
}

// String says it in words.
func (w Warning) String() string {
	switch w.Kind {
	case "unconfirmed":
		return "cClassTrib " + w.Code + " is listed, and the authority may still refuse it (E0958): its calculator " +
			"did not know it yet on 2026-10-10"
	case "ends":
		return "cClassTrib " + w.Code + " is valid only until " + w.Day
	case "elsewhere":
		return "cIndOp " + w.Code + " means the acquirer's address (Annex C, layout 1.01); in Annex VII (NT 009) it " +
			"means where the service is rendered, away from the supplier's establishment: choose anew when that " +
			"layout comes"
	case "dropped":
		return "cIndOp " + w.Code + " is no longer in Annex VII (NT 009): choose anew when that layout comes"
	case "roads":
		return "cIndOp " + w.Code + " is for NFS-e Via, which this program does not issue"
	case "unlinked":
		return "NBS, cClassTrib and cIndOp (" + w.Code + ") are linked by no line of the calculator's table, which " +
			"it applies since " + w.Day + ": the authority may refuse them together"
	}
	return "cIndOp " + w.Code + " takes place at the address of a recipient other than the acquirer, whom this " +
		"program does not declare (indDest is always 0)"
}

// Warnings says them in words.
func (t Tables) Warnings(c nfse.Classification) (words []string) {
	for _, warning := range t.WarningsOf(c) {
		words = append(words, warning.String())
	}
	return words
}

// WarningsOf finds what there is to know of a classification.
func (t Tables) WarningsOf(c nfse.Classification) (warnings []Warning) {
	national := t.IndOpTable() == TableIndOp // else by another authority's tables
	codes := []string{c.CClassTrib}
	if c.RegularTaxation != nil {
		codes = append(codes, c.RegularTaxation.CClassTrib)
	}
	for _, code := range codes {
		if national && slices.Contains(unconfirmed, code) {
			warnings = append(warnings, Warning{Kind: "unconfirmed", Code: code})
		}
		if row, ok := t.ClassTrib(code); ok && row.Until != "" {
			warnings = append(warnings, Warning{Kind: "ends", Code: code, Day: row.Until})
		}
	}
	switch {
	case national && slices.Contains(elsewhere, c.CIndOp):
		warnings = append(warnings, Warning{Kind: "elsewhere", Code: c.CIndOp})
	case national && slices.Contains(dropped, c.CIndOp):
		warnings = append(warnings, Warning{Kind: "dropped", Code: c.CIndOp})
	case c.CIndOp == roadsOnly:
		warnings = append(warnings, Warning{Kind: "roads", Code: c.CIndOp})
	}
	if slices.Contains(atRecipient, c.CIndOp) {
		warnings = append(warnings, Warning{Kind: "recipient", Code: c.CIndOp})
	}
	if t.Unlinked(c) {
		warnings = append(warnings, Warning{Kind: "unlinked", Day: string(taxes.LinksFrom),
			Code: c.NBS + " / " + c.CClassTrib + " / " + c.CIndOp})
	}
	return warnings
}

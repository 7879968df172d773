package classification

import (
	"fmt"
	"slices"

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

// Warnings says what whoever chose a classification should know although nothing
// is wrong with it.
func (t Tables) Warnings(c nfse.Classification) (warnings []string) {
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	codes := []string{c.CClassTrib}
	if c.RegularTaxation != nil {
		codes = append(codes, c.RegularTaxation.CClassTrib)
	}
	for _, code := range codes {
		if slices.Contains(unconfirmed, code) {
			warn("cClassTrib %s is listed, and the authority may still refuse it (E0958): its calculator did not know "+
				"it yet on 2026-10-10", code)
		}
		if row, ok := t.ClassTrib(code); ok && row.Until != "" {
			warn("cClassTrib %s is valid only until %s", code, row.Until)
		}
	}
	switch {
	case slices.Contains(elsewhere, c.CIndOp):
		warn("cIndOp %s means the acquirer's address (Annex C, layout 1.01); in Annex VII (NT 009) it means where the "+
			"service is rendered, away from the supplier's establishment: choose anew when that layout comes", c.CIndOp)
	case slices.Contains(dropped, c.CIndOp):
		warn("cIndOp %s is no longer in Annex VII (NT 009): choose anew when that layout comes", c.CIndOp)
	case c.CIndOp == roadsOnly:
		warn("cIndOp %s is for NFS-e Via, which this program does not issue", c.CIndOp)
	}
	if slices.Contains(atRecipient, c.CIndOp) {
		warn("cIndOp %s takes place at the address of a recipient other than the acquirer, whom this program does not "+
			"declare (indDest is always 0)", c.CIndOp)
	}
	return warnings
}

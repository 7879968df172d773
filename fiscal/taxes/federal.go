package taxes

import (
	"cmp"

	"emissor/fiscal"
	"emissor/nfse"
)

// Federal is what a note states of federal taxes, in cents: what its taker withholds, and what
// its issuer owes itself.
type Federal struct {
	IRRF, PIS, COFINS, CSLL, INSS int64

	Own *Own // nil: none is declared
}

// Own are PIS and COFINS that the issuer owes itself.
type Own struct {
	nfse.OwnContributions
	BaseCents   int64
	PISCents    int64
	COFINSCents int64
}

// FederalOf computes what a declaration states of federal taxes: nothing after a refusal of that.
func FederalOf(declaration fiscal.Declaration) Federal {
	if declaration.AutoFixes.Has(fiscal.OmitFederal) {
		return Federal{}
	}
	law := LawOn(declaration.Note.Competence)
	base := FederalBase(declaration)
	return withhold(law, WithheldSet(declaration), base).with(law, declaration, base)
}

// FederalBase is what the federal taxes are computed of: the price less the unconditional
// discount.
func FederalBase(declaration fiscal.Declaration) int64 {
	return max(0, declaration.Note.AmountCents-declaration.Details.UnconditionalDiscountCents)
}

// withhold computes each tax of its own base, so that their sum may differ by cents from what
// one rate would give.
func withhold(law Law, set nfse.Withholding, base int64) Federal {
	f := Federal{
		IRRF: set.IRRF.Of(base),
		PIS:  set.PIS.Of(base), COFINS: set.COFINS.Of(base), CSLL: set.CSLL.Of(base),
		INSS: set.INSS.Of(cmp.Or(set.INSSBase, 100_00).Of(base)),
	}
	if f.IRRF <= law.MinimumCents {
		f.IRRF = 0
	}
	if f.CSRF() <= law.MinimumCents {
		f.PIS, f.COFINS, f.CSLL = 0, 0, 0
	}
	return f
}

// with adds what the issuer owes itself.
func (f Federal) with(law Law, declaration fiscal.Declaration, base int64) Federal {
	issuer := declaration.Issuer
	if issuer.OwnContributions == nil || !law.hasContributions() || !DeclaresContributions(issuer) {
		return f
	}
	if ExemptOfContributions(declaration) {
		f.Own = &Own{OwnContributions: nfse.OwnContributions{CST: notDue}}
		return f
	}
	own := *issuer.OwnContributions
	f.Own = &Own{
		OwnContributions: own, BaseCents: base, PISCents: own.PIS.Of(base), COFINSCents: own.COFINS.Of(base),
	}
	return f
}

// notDue is the tax situation of what PIS and COFINS are not due on.
const notDue = "08"

// ExemptOfContributions reports whether the issuer owes neither PIS nor COFINS on a note: it exports to
// who is abroad, and the payment brings in foreign currency (Lei 10.637/2002, art. 5, II; Lei
// 10.833/2003, art. 6, II; MP 2.158-35/2001, art. 14, III), which only the company knows to be otherwise.
func ExemptOfContributions(declaration fiscal.Declaration) bool {
	abroad := declaration.Abroad()
	return abroad.Export && declaration.Details.ForeignTaker != nil && !abroad.NoForeignCurrency
}

// None reports whether the note states nothing of federal taxes.
func (f Federal) None() bool { return f == Federal{} }

// CSRF is what is withheld of PIS, COFINS and CSLL together.
func (f Federal) CSRF() int64 { return f.PIS + f.COFINS + f.CSLL }

// Withheld is all that is withheld.
func (f Federal) Withheld() int64 { return f.IRRF + f.CSRF() + f.INSS }

// CSRFCode says which of PIS, COFINS and CSLL are withheld, in the national layout's codes
// (tpRetPisCofins, technical note 007): 0 none, 3 to 9 the others.
func (f Federal) CSRFCode() int { return csrfCodes[[3]bool{f.PIS > 0, f.COFINS > 0, f.CSLL > 0}] }

var csrfCodes = map[[3]bool]int{
	{false, false, false}: 0,
	{true, true, true}:    3, {true, true, false}: 4, {true, false, false}: 5, {false, true, false}: 6,
	{false, true, true}: 7, {false, false, true}: 8, {true, false, true}: 9,
}

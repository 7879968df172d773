package sefin

import (
	"github.com/beevik/etree"

	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/xmltree"
)

// Where a DPS has the groups that its sums are made of.
const (
	discounts = "valores/vDescCondIncond"
	deduction = "valores/vDedRed"
	tribMun   = "valores/trib/tribMun"
	benefit   = tribMun + "/BM"
	tribFed   = "valores/trib/tribFed"
	pisCofins = tribFed + "/piscofins"
)

// sums are what the authority computes of a DPS, in cents. Every part is rounded half to even.
type sums struct {
	amount        int64 // vServ
	unconditional int64 // vDescIncond
	conditional   int64 // vDescCond
	deducted      int64 // by vDR, pDR or documents
	relieved      int64 // by the benefit: vRedBCBM or pRedBCBM
	base          int64 // vBC

	rate      int64 // of ISS, in hundredths of a percent; 0 where none is known
	tax       int64 // vISSQN
	withheld  int64 // of it
	federal   int64 // vRetCP, vRetIRRF and vRetCSLL
	ownPISCOF int64 // vPis and vCofins, which nobody withholds

	declared   bool   // the note says base, rate and tax of the ISS
	onlyLiquid bool   // the note says vLiq and nothing else
	kind       string // tpBM: what kind of benefit there is
}

// retained is vTotalRet.
func (s *sums) retained() int64 { return s.federal + s.withheld }

// liquid is vLiq.
func (s *sums) liquid() int64 { return s.amount - s.unconditional - s.conditional - s.retained() }

// cents reads an amount of the DPS; 0 where there is none.
func (d *dps) cents(path string) int64 { return cents.Read(d.get(path)) }

// compute makes what the rules about amounts compare, and what the NFS-e says.
func (d *dps) compute(registry *Registry) *sums {
	s := &sums{
		amount:        d.amount(),
		unconditional: d.cents(discounts + "/vDescIncond"), conditional: d.cents(discounts + "/vDescCond"),
		federal:   d.cents(tribFed+"/vRetCP") + d.cents(tribFed+"/vRetIRRF") + d.cents(tribFed+"/vRetCSLL"),
		ownPISCOF: d.cents(pisCofins+"/vPis") + d.cents(pisCofins+"/vCofins"),
	}
	granted := registry.benefit(d)
	s.kind = granted.Kind
	s.deducted = d.deducted()
	s.relieved = d.cents(benefit + "/vRedBCBM")
	if d.has(benefit + "/pRedBCBM") {
		s.relieved = cents.ShareEven(s.amount, d.cents(benefit+"/pRedBCBM")) // E1288
	}
	s.base = s.amount - s.unconditional - s.deducted - s.relieved // E1295
	s.onlyLiquid = d.saysOnlyLiquid()
	withholds := d.get(tribMun+"/tpRetISSQN") != "1"
	bySimples := d.simples() == microOrSmall && d.get("prest/regTrib/regApTribSN") == "1"
	// What ME and EPP pay through Simples Nacional is not on the note, unless it is withheld.
	s.declared = !s.onlyLiquid && (!bySimples || withholds) && s.kind != exemption
	if !s.declared {
		return s
	}
	s.rate = registry.issRateOf(d, granted)
	s.tax = cents.ShareEven(s.base, s.rate) // E1289
	if withholds {
		s.withheld = s.tax
	}
	return s
}

// saysOnlyLiquid reports whether the NFS-e says vLiq alone: of an MEI (E1302), of what is not
// taxed (E1303), of a special regime (E1307), and where the ISS is suspended (E1311).
func (d *dps) saysOnlyLiquid() bool {
	return d.simples() == mei || d.get(tribMun+"/tribISSQN") != taxed || d.get("prest/regTrib/regEspTrib") != "0" ||
		d.has(tribMun+"/exigSusp")
}

// deducted is what vDedRed takes from the base, in whichever of its three ways.
func (d *dps) deducted() int64 {
	if d.has(deduction + "/pDR") {
		return cents.ShareEven(d.amount(), d.cents(deduction+"/pDR")) // E1287
	}
	total := d.cents(deduction + "/vDR")
	for _, document := range d.documents() {
		total += cents.Read(xmltree.TextAt(document, "vDeducaoReducao"))
	}
	return total
}

// documents are those by which something is deducted.
func (d *dps) documents() []*etree.Element {
	group := xmltree.At(d.info, deduction+"/documentos")
	if group == nil {
		return nil
	}
	return group.ChildElements()
}

// isUnsettled names what a DPS asks of which the sum is not settled: the rules contradict each
// other about the base of a percentage beside a discount or a deduction (E0427 with E1287 and
// E1288), and none says what is withheld of a suspended tax. Empty where nothing is.
func (d *dps) isUnsettled() string {
	discounted := d.has(discounts + "/vDescIncond")
	switch {
	case d.has(deduction+"/pDR") && discounted:
		return "a deduction in percent beside a discount"
	case d.has(benefit+"/pRedBCBM") && (discounted || d.has(deduction)):
		return "a benefit in percent beside a discount or a deduction"
	case d.has(tribMun+"/exigSusp") && d.get(tribMun+"/tpRetISSQN") != "1":
		return "withholding of a suspended tax"
	}
	return ""
}

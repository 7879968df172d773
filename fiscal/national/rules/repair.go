package rules

import (
	_ "embed"
	"fmt"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/internal/tsv"
)

// Class is what a refusal by a code leads to.
type Class string

// The classes that the table of repairs has.
const (
	ClassAuto   Class = "auto"   // it is corrected without a person where that is certain
	ClassHold   Class = "hold"   // the company's settings or registers: a person corrects it, and the note goes on
	ClassDefect Class = "defect" // what this program built: the note waits for another version
	ClassFinal  Class = "final"  // the caller's own data: the note ends
	ClassAsk    Class = "ask"    // something exists already: ask what
	ClassFault  Class = "fault"  // of the authority: no refusal
	ClassNext   Class = "next"   // of a request to cancel: another request may follow
	ClassWait   Class = "wait"   // an event of the city must come first: the note is tried until it has
	ClassNever  Class = "n/a"    // never met by who issues
)

var classes = []Class{
	ClassAuto, ClassHold, ClassDefect, ClassFinal, ClassAsk, ClassFault, ClassNext, ClassWait, ClassNever,
}

// repair is a row of the table.
type repair struct {
	fiscal.Repair
	class    Class
	doubtful bool
}

//go:embed repairs.tsv
var repairsTable string

// repairs are the codes of which it is known whose the reason of a refusal is.
var repairs = mustReadRepairs()

func mustReadRepairs() map[string]repair {
	read := map[string]repair{}
	for _, row := range tsv.Rows(repairsTable) {
		if len(row) != 8 || !slices.Contains(classes, Class(row[3])) {
			panic(fmt.Sprintf("the table of repairs: %q", row))
		}
		class := Class(row[3])
		one := fiscal.Repair{Subject: row[1], Whose: fiscal.Whose(row[2]), Act: fiscal.Act(row[4]),
			Scope: fiscal.Scope(row[5]), AutoFix: fiscal.AutoFix(row[6])}
		one.FinalUnfixed = class == ClassAuto && one.Whose == fiscal.OfCustomer
		one.Ours = class == ClassDefect
		read[row[0]] = repair{one, class, row[7] == "yes"}
	}
	return read
}

// RepairOf returns what is known of a code by which a document is refused.
func RepairOf(code string) fiscal.Repair { return repairs[code].Repair }

// Doubtful reports whether a code is one of registers that refused falsely in outages of the authority, or before
// they were filled (reported in large batches by who runs against the hosts, 2026): see fiscal.Answer.
func Doubtful(code string) bool { return repairs[code].doubtful }

// RepairIn is RepairOf for one declaration. Where the ISS is due to the customer's city, that city
// refuses the service, and another customer's may take it.
func RepairIn(declaration fiscal.Declaration, code string) fiscal.Repair {
	repair := RepairOf(code).In(declaration)
	service := declaration.Note.Service.NationalTaxCode
	if repair.Scope == fiscal.ScopeService && service != nil && taxation.DueToCustomersCity(*service) {
		repair.Scope = fiscal.ScopeNote
	}
	return repair
}

// ofSettings reports whether a refusal by a code is of the issuer's settings or registers, of what
// this program built, or of what a city has still to say: its note waits and is not rejected.
func ofSettings(code string) bool {
	switch repairs[code].class {
	case ClassAuto, ClassHold, ClassDefect, ClassWait:
		rule, known := Catalogue.Rule(code)
		return known && rule.Handling == fiscal.Final && rule.About != AboutCancellation
	}
	return false
}

// CanAutoFix reports whether a change can be made to a declaration, so that no other rule refuses
// what is then sent.
func (c Checker) CanAutoFix(declaration fiscal.Declaration, autoFix fiscal.AutoFix) bool {
	switch autoFix {
	case fiscal.SendRegistration:
		return declaration.Issuer.MunicipalRegistration != nil
	case fiscal.OmitRegistration, fiscal.OmitRate:
		return true
	case fiscal.SendRate:
		declaration.AutoFixes = append(slices.Clone(declaration.AutoFixes), fiscal.AutoFixMade{AutoFix: fiscal.SendRate})
		return taxation.AliquotOf(declaration).Sent
	case fiscal.OmitAddress:
		return !c.asksForAddress(declaration)
	case fiscal.OmitFederal:
		return !taxes.FederalOf(declaration).None()
	case fiscal.OtherSignature:
		return true
	}
	return false
}

// asksForAddress reports whether a rule wants the customer's address (E0234, E0237, E0242).
func (c Checker) asksForAddress(declaration fiscal.Declaration) bool {
	code := declaration.Note.Service.NationalTaxCode
	placed := c.IBSCBS.Sent(declaration, declaration.Note.Competence) &&
		taxation.PlacedAtTaker(declaration.Classification.CIndOp)
	return placed || declaration.ISSWithheldBy() == fiscal.WithheldByTaker ||
		declaration.Details.ForeignTaker != nil || code != nil && taxation.DueToCustomersCity(*code)
}

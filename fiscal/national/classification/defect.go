package classification

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"emissor/fiscal/national/schema"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Defect is why a classification cannot be sent.
type Defect struct {
	Rule   string    // the authority's code, or one of the words below
	Field  string    // the flag of `emissor service classify`, and column of its CSV, that it is about
	Reason fact.Fact // is said after the field
}

// Defects that no rule of the authority is about.
const (
	RuleSchema = "schema" // the layout cannot carry it
	RuleTable  = "table"  // the row of the table does not allow it
	RuleForm   = "form"   // what was typed cannot be read
)

// Error implements error. It names the rule that is broken, where one is.
func (f *Defect) Error() string {
	if f.Rule == RuleForm {
		return fmt.Sprintf("%s %s", f.Field, f.Reason)
	}
	return fmt.Sprintf("%s %s (%s)", f.Field, f.Reason, f.Rule)
}

func defect(rule, field string, reason fact.Fact) *Defect {
	return &Defect{Rule: rule, Field: field, Reason: reason}
}

// Defect returns the first reason why the authority would refuse a classification
// of a service with the national tax code on the day of the tables; nil when
// there is none. What depends on a national tax code that is not known (empty) is
// left to the authority.
func (t Tables) Defect(c nfse.Classification, nationalTaxCode string) *Defect {
	for _, found := range []*Defect{
		shapeDefect(c), t.codeDefect(c), t.TaxationDefect(c, taxationRules), t.deferralDefect(c), t.creditDefect(c),
		governmentDefect(c, nationalTaxCode), propertyDefect(c, nationalTaxCode),
	} {
		if found != nil {
			return found
		}
	}
	return nil
}

// shapeDefect refuses codes that are none.
func shapeDefect(c nfse.Classification) *Defect {
	type code struct {
		field, value string
		digits       int
	}
	codes := []code{{"nbs", c.NBS, 9}, {"cindop", c.CIndOp, 6}, {"cst", c.CST, 3}, {"cclasstrib", c.CClassTrib, 6}}
	if r := c.RegularTaxation; r != nil {
		codes = append(codes, code{"cst-reg", r.CST, 3}, code{"cclasstrib-reg", r.CClassTrib, 6})
	}
	if c.CCredPres != nil {
		codes = append(codes, code{"ccredpres", *c.CCredPres, 2})
	}
	for _, one := range codes {
		if !isDigits(one.value, one.digits) {
			return defect(RuleSchema, one.field, fact.MustBeDigits.With("digits", one.digits))
		}
	}
	return nil
}

func (t Tables) codeDefect(c nfse.Classification) *Defect {
	if _, ok := t.NBS(c.NBS); !ok {
		return defect("E0316", "nbs", fact.NBSUnknown.With("nbs", c.NBS))
	}
	if _, ok := t.IndOp(c.CIndOp); !ok {
		if _, other := t.WithIndOps(TableIndOpNT009).IndOp(c.CIndOp); other {
			return defect("E0901", "cindop", fact.IndicatorOfAnnexVII.With("indicator", c.CIndOp))
		}
		return defect("E0901", "cindop", fact.IndicatorUnknown.With("indicator", c.CIndOp))
	}
	return nil
}

// pairDefect checks a pair of codes, with the rules that are about it.
func (t Tables) pairDefect(cst, classTrib, suffix, prefixRule, validRule string) *Defect {
	field := "cclasstrib" + suffix
	if !strings.HasPrefix(classTrib, cst) {
		return defect(prefixRule, field, fact.ClassTribOfAnotherCST.With("class_trib", classTrib, "cst", cst))
	}
	if _, ok := t.CST(cst); !ok {
		return defect(validRule, "cst"+suffix, fact.CSTUnknown.With("cst", cst))
	}
	row, ok := t.ClassTrib(classTrib)
	switch {
	case !ok:
		return defect(validRule, field, fact.ClassTribUnknown.With("class_trib", classTrib, "day", t.Day))
	case !row.NFSe:
		return defect(validRule, field, fact.ClassTribNotForNFSe.With("class_trib", classTrib))
	case row.From > t.Day:
		return defect(validRule, field, fact.CodeNotYetValid.With("classified", classTrib, "from", row.From))
	case row.Until != "" && row.Until < t.Day:
		return defect(validRule, field, fact.CodeNoLongerValid.With("classified", classTrib, "until", row.Until))
	}
	return nil
}

// UsableClassTribs are the classifications that an NFS-e may have on the day of the tables, in order.
func (t Tables) UsableClassTribs() []ClassTrib {
	return slices.DeleteFunc(t.ClassTribs(), func(row ClassTrib) bool {
		return t.pairDefect(row.Code[:3], row.Code, "", "", "") != nil
	})
}

// TaxationRules are an authority's codes of what the tables decide of a cClassTrib, and of
// the regular one beside it.
type TaxationRules struct {
	Prefix, Valid                     string // its first digits are the CST; it is for NFS-e, and in force
	RegularRequired, RegularForbidden string // a regular one by the flag of the other
	RegularPrefix, RegularValid       string // as the first two
}

var taxationRules = TaxationRules{
	Prefix: "E0959", Valid: "E0958", RegularRequired: "E0965", RegularForbidden: "E0964",
	RegularPrefix: "E0970", RegularValid: "E0969",
}

// TaxationDefect returns what of a cClassTrib and the regular one beside it the tables
// refuse, by the codes of an authority.
func (t Tables) TaxationDefect(c nfse.Classification, rules TaxationRules) *Defect {
	if found := t.pairDefect(c.CST, c.CClassTrib, "", rules.Prefix, rules.Valid); found != nil {
		return found
	}
	row, _ := t.ClassTrib(c.CClassTrib)
	switch {
	case c.RegularTaxation == nil && row.GTribRegular:
		return defect(rules.RegularRequired, "cclasstrib-reg",
			fact.RegularTaxationRequired.With("class_trib", row.Code))
	case c.RegularTaxation == nil:
		return nil
	case !row.GTribRegular:
		return defect(rules.RegularForbidden, "cclasstrib-reg",
			fact.RegularTaxationForbidden.With("class_trib", row.Code))
	}
	return t.pairDefect(c.RegularTaxation.CST, c.RegularTaxation.CClassTrib, "-reg", rules.RegularPrefix,
		rules.RegularValid)
}

func (t Tables) deferralDefect(c nfse.Classification) *Defect {
	row, _ := t.CST(c.CST)
	switch {
	case c.Deferral == nil && row.GDif:
		return defect("E0972", "pdif-uf", fact.DeferralRequired.With("cst", row.Code))
	case c.Deferral == nil:
		return nil
	case !row.GDif:
		return defect("E0971", "pdif-uf", fact.DeferralForbidden.With("cst", row.Code))
	}
	for _, part := range []struct {
		field string
		value nfse.Percent
	}{{"pdif-uf", c.Deferral.State}, {"pdif-mun", c.Deferral.Municipal}, {"pdif-cbs", c.Deferral.Federal}} {
		if part.value < 0 || part.value > 100_00 {
			return defect(RuleSchema, part.field, fact.MustBePercentage.Fact())
		}
	}
	return nil
}

func (t Tables) creditDefect(c nfse.Classification) *Defect {
	if c.CCredPres == nil {
		return nil
	}
	if row, _ := t.ClassTrib(c.CClassTrib); !row.GCredPresOper {
		return defect(RuleTable, "ccredpres", fact.PresumedCreditForbidden.With("class_trib", row.Code))
	}
	if t.Edition(TableCredPres) == nil {
		return nil // nobody imported the codes
	}
	row, ok := t.CredPres(*c.CCredPres)
	switch {
	case !ok:
		return defect(RuleTable, "ccredpres", fact.PresumedCreditUnknown.With("presumed_credit", *c.CCredPres))
	case row.From > t.Day:
		return defect(RuleTable, "ccredpres", fact.CodeNotYetValid.With("classified", row.Code, "from", row.From))
	}
	return nil
}

// byKindOfOperation are the subitems whose tpOper is always declared (E0903).
var byKindOfOperation = []string{"2505", "1509", "1712", "1005"}

func governmentDefect(c nfse.Classification, nationalTaxCode string) *Defect {
	if c.TpEnteGov != nil && (*c.TpEnteGov < 1 || *c.TpEnteGov > 4) {
		return defect(RuleSchema, "tp-ente-gov", fact.GovernmentUnknown.Fact())
	}
	known := len(nationalTaxCode) == 6
	always := known && slices.Contains(byKindOfOperation, nationalTaxCode[:4])
	if c.TpOper == nil {
		switch {
		case c.TpEnteGov != nil:
			return defect("E0903", "tp-oper", fact.OperationOfGovernmentMissing.Fact())
		case always:
			return defect("E0903", "tp-oper", fact.OperationMissing.With("tax_code", nationalTaxCode))
		}
		return nil
	}
	switch *c.TpOper {
	case 1, 4, 5:
	case 2, 3:
		return defect("E0905", "tp-oper", fact.OperationOfAnotherNote.Fact())
	default:
		return defect(RuleSchema, "tp-oper", fact.OperationUnknown.Fact())
	}
	if c.TpEnteGov == nil && known && !always {
		return defect("E0904", "tp-oper", fact.OperationForbidden.Fact())
	}
	return nil
}

var (
	// construction are the national tax codes that declare a property in another group, obra (E0931).
	construction = strings.Fields(`070201 070202 070401 070501 070502 070601 070602 070701 070801 071701 071901`)
	// aboutProperty are the cIndOp that take place where a property is (E0928, E0932).
	aboutProperty = []string{"020101", "020201", "020301"}
)

func propertyDefect(c nfse.Classification, nationalTaxCode string) *Defect {
	const field = "property-cib"
	known := len(nationalTaxCode) == 6
	isConstruction := known && slices.Contains(construction, nationalTaxCode)
	about := slices.Contains(aboutProperty, c.CIndOp)
	switch {
	case c.Property == nil && known && about && !isConstruction:
		return defect("E0932", field, fact.PropertyMissing.With("indicator", c.CIndOp))
	case c.Property == nil:
		return nil
	case isConstruction:
		return defect("E0931", field, fact.PropertyOfConstruction.With("tax_code", nationalTaxCode))
	case !about:
		return defect("E0928", field, fact.PropertyForbidden.With("indicator", c.CIndOp))
	}
	return propertyShapeDefect(*c.Property)
}

// propertyShapeDefect refuses what the group imovel cannot carry.
func propertyShapeDefect(p nfse.Property) *Defect {
	if (p.CIB == nil) == (p.Address == nil) {
		return defect(RuleSchema, "property-cib", fact.PropertyTwice.Fact())
	}
	if p.CIB != nil && (len(*p.CIB) != 8 || strings.Trim(*p.CIB, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return defect(RuleSchema, "property-cib", fact.MustBeCIB.Fact())
	}
	type text struct {
		field string
		value *string
		most  int
	}
	texts := []text{{"property-registration", p.Registration, schema.MaxPropertyRegistration}}
	if a := p.Address; a != nil {
		if !isDigits(a.ZipCode, 8) {
			return defect(RuleSchema, "property-zip-code", fact.MustBeDigits.With("digits", 8))
		}
		texts = append(texts, text{"property-street", &a.Street, schema.MaxStreet},
			text{"property-number", &a.Number, schema.MaxAddressNumber},
			text{"property-complement", a.Complement, schema.MaxComplement},
			text{"property-district", &a.District, schema.MaxDistrict})
	}
	for _, one := range texts {
		if one.value == nil {
			continue
		}
		if length := utf8.RuneCountInString(schema.Line(*one.value)); length < 1 || length > one.most {
			return defect(RuleSchema, one.field, fact.MustBeGiven.With("most", one.most))
		}
	}
	return nil
}

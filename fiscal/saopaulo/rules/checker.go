package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Checker checks declarations by what depends on the day too: the tables by which a
// service is classified.
type Checker struct {
	Tables func(day string) classification.Tables // those in force on a day
	// Reload reads tables that were imported since: nothing is held by older ones. nil
	// where there are none but those that are built in.
	Reload func() error
}

// Check objects to what Check does, and holds what the tables of a day refuse. nil means
// that it may be sent.
func (c Checker) Check(declaration fiscal.Declaration, day string) *fiscal.Objection {
	if objection := Check(declaration); objection != nil {
		return objection
	}
	found := tablesDefect(c.Tables(day), *declaration.Classification)
	if found != nil && c.Reload != nil {
		if err := c.Reload(); err != nil {
			return unclassified(fact.ClassificationTablesUnread.With("why", found.Reason))
		}
		found = tablesDefect(c.Tables(day), *declaration.Classification)
	}
	if found == nil {
		return nil
	}
	return misclassified(found)
}

// ClassificationDefect returns the first reason why the city would refuse a classification on
// the day of the tables, or its layout cannot carry it; nil when there is none.
func ClassificationDefect(tables classification.Tables, c nfse.Classification) *classification.Defect {
	if found := layoutDefect(c); found != nil {
		return found
	}
	return tablesDefect(tables, c)
}

// Misclassified reports whether notes of a service with this classification are held or
// refused for it on the day of the tables.
func Misclassified(tables classification.Tables, c nfse.Classification) bool {
	return classificationObjection(fiscal.Declaration{Classification: &c}) != nil || tablesDefect(tables, c) != nil
}

// taxationRules are the city's codes for what the tables say of a cClassTrib. It takes no
// CST: that is the beginning of the cClassTrib.
var taxationRules = classification.TaxationRules{
	Prefix: "273", Valid: "628", RegularRequired: "281", RegularForbidden: "282", RegularPrefix: "274",
	RegularValid: "274",
}

func tablesDefect(tables classification.Tables, c nfse.Classification) *classification.Defect {
	tables = tables.WithIndOps(classification.TableIndOpSaoPaulo)
	if _, ok := tables.NBS(c.NBS); !ok {
		return defect("268", "nbs", fact.NBSUnknown.With("nbs", c.NBS))
	}
	if _, ok := tables.IndOp(c.CIndOp); !ok {
		return defect("630", "cindop", fact.CityIndicatorUnknown.With("indicator", c.CIndOp))
	}
	if found := tables.TaxationDefect(c, taxationRules); found != nil {
		return found
	}
	if row, _ := tables.CST(c.CST); row.GDif {
		return defect(classification.RuleTable, "cclasstrib",
			fact.CityClassTribDeferred.With("class_trib", c.CClassTrib))
	}
	return nil
}

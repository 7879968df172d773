package classification

// Suggestion is what Annex VIII says may go together with a national tax code.
// None is ever applied: which one it is depends on the service, on who the
// acquirer is and on the terms, and is a decision about tax.
type Suggestion struct {
	NBS            string `json:"c_nbs"` // empty: none is named
	NBSName        string `json:"nbs_name"`
	CIndOp         string `json:"c_ind_op"`
	Place          string `json:"place"`
	CClassTrib     string `json:"c_class_trib"`
	ClassTribName  string `json:"c_class_trib_name"`
	Onerous        *bool  `json:"onerous"`         // nil: whether or not
	AcquirerAbroad *bool  `json:"acquirer_abroad"` // nil: whether or not
	Unusable       string `json:"unusable"`        // why the authority would refuse it; empty: it takes it
}

// Condition says in words when it is meant.
func (s Suggestion) Condition() string {
	switch words := onerousWords(s.Onerous); {
	case s.AcquirerAbroad == nil && words == "":
		return "always"
	case s.AcquirerAbroad == nil:
		return words
	case words == "":
		return abroadWords(*s.AcquirerAbroad)
	default:
		return words + ", " + abroadWords(*s.AcquirerAbroad)
	}
}

func onerousWords(onerous *bool) string {
	switch {
	case onerous == nil:
		return ""
	case *onerous:
		return "onerous"
	}
	return "not onerous"
}

func abroadWords(abroad bool) string {
	if abroad {
		return "acquirer abroad"
	}
	return "acquirer in the country"
}

// HasCorrelation reports whether an edition of Annex VIII is in force, without which
// there are no suggestions.
func (t Tables) HasCorrelation() bool { return t.Edition(TableCorrelation) != nil }

// Suggest lists what goes together with a national tax code, by its subitem:
// each with its pair of cIndOp and cClassTrib, which belong together.
func (t Tables) Suggest(nationalTaxCode string) []Suggestion {
	suggestions := []Suggestion{}
	if len(nationalTaxCode) != 6 {
		return suggestions
	}
	for _, line := range t.edition(TableCorrelation).correlations[nationalTaxCode[:4]] {
		if len(line.Item) == 6 && line.Item != nationalTaxCode {
			continue
		}
		s := Suggestion{NBS: line.NBS, CIndOp: line.CIndOp, CClassTrib: line.ClassTrib,
			Onerous: isYes(line.Onerous), AcquirerAbroad: isYes(line.Abroad)}
		s.NBSName, _ = t.NBS(line.NBS)
		row, known := t.ClassTrib(line.ClassTrib)
		s.ClassTribName = row.Name
		indOp, listed := t.IndOp(line.CIndOp)
		s.Place = indOp.Place
		switch {
		case line.CIndOp == "" || line.ClassTrib == "":
			s.Unusable = "incomplete"
		case !listed && t.IndOpTable() == TableIndOp:
			s.Unusable = "cIndOp " + line.CIndOp + " is not in Annex C (E0901)"
		case !listed:
			s.Unusable = "cIndOp " + line.CIndOp + " is not in Annex VII as the city goes by it (630)"
		case !known || t.pairDefect(row.Code[:3], row.Code, "", "E0959", "E0958") != nil:
			s.Unusable = "cClassTrib " + line.ClassTrib + " is not valid for NFS-e on " + t.Day + " (E0958)"
		}
		suggestions = append(suggestions, s)
	}
	return suggestions
}

func isYes(word string) *bool {
	switch word {
	case "S":
		return new(true)
	case "N":
		return new(false)
	}
	return nil
}

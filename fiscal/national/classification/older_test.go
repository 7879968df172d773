package classification_test

import (
	"slices"
	"testing"

	"emissor/fiscal/national/classification"
)

func TestEdition_IsOlder(t *testing.T) {
	edition := func(name string, extra ...string) *classification.Edition {
		t.Helper()
		records := creditRecords()
		for _, code := range extra {
			records = append(records, classification.Record{"cCredPres": code})
		}
		made, err := classification.NewEdition(classification.TableCredPres, name, today, records)
		must(t, err)
		return made
	}
	for _, c := range []struct {
		name, other string
		lacks       bool // a code of the other
		older       bool
	}{
		{"Tabela_2026-06-23", "IT 2025.002 v1.70, 2026-10-01 (built in)", false, true},
		{"Tabela_2026-11-20", "IT 2025.002 v1.70, 2026-10-01 (built in)", false, false},
		{"Tabela_2026-11-20", "IT 2025.002 v1.70, 2026-10-01 (built in)", true, true}, // regardless of its name
		{"cClassTrib 20261120", "2026-10-01", false, false},
		{"anexo-v1-01-20260122", "anexo-v1-01-20260209", false, true},
		{"Tabela_2026-06-23", "2026-06 (built in)", false, false}, // the month is the same
		{"Tabela_2026-06-23", "2026-06 (built in)", true, true},
		{"AnexoVII-IndOp_IBSCBS_V1.02.00", "AnexoVII-IndOp_IBSCBS_V1.03.00", false, true},
		{"AnexoVII-IndOp_IBSCBS_V1.10.00", "AnexoVII-IndOp_IBSCBS_V1.03.00", false, false},
		{"ANEXO_C-IndOp_IBSCBS-v1.01", "Annex C v1.01 (built in)", false, false},
		{"ANEXO_C-IndOp_IBSCBS-v1.01", "Annex C v1.01 (built in)", true, true},
		{"v1.69", "IT 2025.002 v1.70, 2026-10-01 (built in)", false, true},
		{"corrected", "2027-01-01", false, false}, // the names do not tell
		{"corrected", "2027-01-01", true, true},
		{"IT 2024.002", "IT 2025.002", false, false}, // no day, and no version
	} {
		other := edition(c.other)
		if c.lacks {
			other = edition(c.other, "98", "97")
		}
		made := edition(c.name)
		if older := made.IsOlder(other, c.name); older != c.older {
			t.Errorf("%q after %q, lacking codes %v: %v", c.name, c.other, c.lacks, older)
		}
		if older := edition("IT v9.99, 2099-12-31").IsOlder(edition(c.other), c.name); older != (c.older && !c.lacks) {
			t.Errorf("%q under a new name after %q: %v", c.name, c.other, older)
		}
		var lacks []string
		if c.lacks {
			lacks = []string{"97", "98"}
		}
		if found := made.Lacks(other); !slices.Equal(found, lacks) {
			t.Errorf("it lacks %q", found)
		}
	}
}

package classification

import (
	_ "embed"
	"strings"
	"sync"
)

var (
	//go:embed data/cst.tsv
	cstText string
	//go:embed data/cclasstrib.tsv
	classTribText string
	//go:embed data/cindop.tsv
	indOpText string
	//go:embed data/cindop-sao-paulo.tsv
	indOpSaoPauloText string
	//go:embed data/nbs.tsv
	nbsText string
	//go:embed data/services.tsv
	servicesText string
)

// builtIn are the first editions.
var builtIn = sync.OnceValue(func() []*Edition {
	return []*Edition{
		mustEdition(TableCST, "2026-06 (built in)", parseTable(cstText)),
		mustEdition(TableClassTrib, "IT 2025.002 v1.70, 2026-10-01 (built in)", parseTable(classTribText)),
		mustEdition(TableIndOp, "Annex C v1.01 (built in)", parseTable(indOpText)),
		mustEdition(TableIndOpSaoPaulo, "Annex VII v1.02.00 (built in)", parseTable(indOpSaoPauloText)),
		mustEdition(TableNBS, "Annex B v1.01 (built in)", parseTable(nbsText)),
		mustEdition(TableServiceCode, "Annex B v1.01 (built in)", parseTable(servicesText)),
	}
})

func mustEdition(table Table, name string, records []Record) *Edition {
	edition, err := NewEdition(table, name, "", records)
	if err != nil {
		panic("classification: built in: " + err.Error())
	}
	return edition
}

// parseTable reads lines of cells under a line of column names.
func parseTable(text string) (records []Record) {
	var columns []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if columns == nil {
			columns = cells
			continue
		}
		record := Record{}
		for i, column := range columns {
			record[column] = cells[i]
		}
		records = append(records, record)
	}
	return records
}

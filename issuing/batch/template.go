package batch

import (
	"bytes"
	"encoding/csv"
	"fmt"

	"emissor/store/catalogues"
)

// exampleServices is how many of the company's services a template shows.
const exampleServices = 3

// template is the head, and a line for some services of the company as examples.
func template(services []catalogues.ServiceName) [][]string {
	var head []string
	for _, column := range Columns {
		head = append(head, column.Name)
	}
	rows := [][]string{head}
	for i, service := range services {
		if i == exampleServices {
			break
		}
		example := map[string]string{"service": service.Name, "tax_id": "529.982.247-25", "name": "Maria da Silva",
			"address.zip_code": "01310-100", "address.street_type": "Avenida", "address.street": "Paulista",
			"address.number": "1000", "address.district": "Bela Vista", "amount_cents": amount(service.AmountCents),
			"iss_withheld": "não"}
		var cells []string
		for _, column := range Columns {
			cells = append(cells, plain(example[column.Field]))
		}
		rows = append(rows, cells)
	}
	return rows
}

// plain keeps a spreadsheet from taking the name of a service for a formula.
func plain(cell string) string {
	if cell != "" && bytes.ContainsAny([]byte(cell[:1]), "=+-@\t\r|") {
		return "'" + cell
	}
	return cell
}

// amount writes cents as 1250,50.
func amount(cents int64) string {
	if cents == 0 {
		cents = 15000
	}
	return fmt.Sprintf("%d,%02d", cents/100, cents%100)
}

// TemplateCSV is a file to fill in, in UTF-8 with its mark, separated by semicolons.
func TemplateCSV(services []catalogues.ServiceName) ([]byte, error) {
	var written bytes.Buffer
	written.WriteString("\ufeff")
	out := csv.NewWriter(&written)
	out.Comma = ';'
	err := out.WriteAll(template(services))
	return written.Bytes(), err
}

// TemplateXLSX is the same as a workbook.
func TemplateXLSX(services []catalogues.ServiceName) ([]byte, error) {
	return writeXLSX(template(services))
}

package operate

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/nfse"
	"emissor/store/companies"
)

func CityCommand() *cobra.Command {
	return cli.CommandGroup("city", "Manage the table of the cities that issue by servers of their own",
		cityImportCommand(), cityCheckCommand(), cityListCommand(), cityShowCommand(), cityStatusCommand())
}

// CityRow is a row of the table that is in use, for one city and its days.
type CityRow struct {
	Name             string            `json:"name"`
	MunicipalityCode string            `json:"municipality_code"`
	City             string            `json:"city"`
	Family           cities.Family     `json:"family"`
	On               bool              `json:"on"`
	Off              string            `json:"off_reason"` // empty: it is on
	From             nfse.Day          `json:"from"`
	Until            *nfse.Day         `json:"until"`
	Production       *string           `json:"production"` // address; null: not served
	Test             *string           `json:"test"`
	Signature        string            `json:"signature"`
	MunicipalCode    *string           `json:"municipal_code"` // digits of cTribMun; null: as in the national system
	Quirks           map[string]string `json:"quirks"`
	Source           string            `json:"source"`
	Table            cityTable         `json:"table"` // since which the row is as it is

	row cities.Row
}

// cityTable is a table as it was imported; without an id it is the one that is built in.
type cityTable struct {
	ID         *string         `json:"id"`
	SourceName *string         `json:"source_name"`
	ImportedAt *nfse.Timestamp `json:"imported_at"`
}

// String is the table in words.
func (t cityTable) String() string {
	if t.ID == nil {
		return "built in"
	}
	return *t.SourceName + ", " + t.ImportedAt.String()
}

func newCityRow(row cities.Row, table cityTable) CityRow {
	listed := CityRow{Name: row.Name, MunicipalityCode: row.MunicipalityCode, City: row.Municipality().String(),
		Family: row.Family, On: row.On(), Off: row.Off, From: row.From, Until: cli.OrNone(row.Until),
		Production: cli.OrNone(row.Production), Test: cli.OrNone(row.Test), Signature: row.Value("signature"),
		Quirks: map[string]string{}, Source: row.Source, Table: table, row: row}
	if row.MunicipalCode != nil {
		listed.MunicipalCode = new(row.MunicipalCode.String())
	}
	for quirk, value := range row.Quirks {
		listed.Quirks[string(quirk)] = value
	}
	return listed
}

// rowsOfCities are the rows of the table that is in use, each with the table since which it is so.
func rowsOfCities(ctx context.Context, s *cli.CommandRun) ([]CityRow, error) {
	imported, err := s.Store.Companies.CityTables(ctx)
	if err != nil {
		return nil, err
	}
	before := earlierTables(imported)
	rows := []CityRow{}
	for _, row := range cities.Current().Rows() {
		rows = append(rows, newCityRow(row, sinceTable(row, before)))
	}
	return rows, nil
}

// readTable is a table that was once in use, with when it was imported.
type readTable struct {
	*cities.Table
	imported cityTable
}

// earlierTables are the tables from the one that is in use back to the one that is built in. One that
// this version cannot read was not in use.
func earlierTables(imported []companies.CityTable) (tables []readTable) {
	for _, one := range imported {
		if table, err := cities.Parse(one.Content, cityrules.Quirks()); err == nil {
			tables = append(tables, readTable{&table, cityTable{&one.ID, &one.SourceName, &one.ImportedAt}})
		}
	}
	return append(tables, readTable{cities.BuiltIn(), cityTable{}})
}

// sinceTable is the table that brought a row as it is.
func sinceTable(row cities.Row, before []readTable) (since cityTable) {
	for i, table := range before {
		if !table.Has(row) {
			break
		}
		since = before[i].imported
	}
	return since
}

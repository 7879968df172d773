package published

import (
	"strings"

	"emissor/fiscal/national/classification"
)

// layout is how a table is laid out in a file.
type layout struct {
	table   classification.Table
	sheet   string // the beginning of the sheet's name; empty: text
	columns []column
	only    string // the beginning of a column that says which rows count (1 or S); empty: all do
}

// column is one that is read.
type column struct {
	name     string // of the record
	headers  []string
	read     func(string) string // how a cell is written in the record; nil: as it is
	optional bool                // editions exist that do not have it
}

// workbook is a set of sheets that are published together.
type workbook []layout

func code(name string, digits int, headers ...string) column {
	return column{name: name, headers: headers, read: func(cell string) string { return padded(cell, digits) }}
}

func plain(name string, headers ...string) column { return column{name: name, headers: headers} }

func flagged(name string, headers ...string) column {
	return column{name: name, headers: headers, read: flag}
}

func dated(name string, headers ...string) column {
	return column{name: name, headers: headers, read: day}
}

// optionally is for columns that earlier editions do not have.
func optionally(c column) column {
	c.optional = true
	return c
}

var (
	cstColumns = []column{
		flagged("ind_gIBSCBS", "ind_gIBSCBS"), flagged("ind_gIBSCBSMono", "ind_gIBSCBSMono"),
		flagged("ind_gRed", "ind_gRed"), flagged("ind_gDif", "ind_gDif"),
		optionally(flagged("ind_gTransfCred", "ind_gTransfCred")),
		optionally(flagged("ind_gCredPresIBSZFM", "ind_ gCredPresIBSZFM", "ind_gCredPresIBSZFM")),
		optionally(flagged("ind_gAjusteCompet", "ind_gAjusteCompet")),
		optionally(flagged("ind_RedutorBC", "ind_RedutorBC")),
	}
	classTribColumns = []column{
		code("cClassTrib", 6, "cClassTrib"), flagged("indNFSe", "indNFSe"), plain("pRedIBS", "pRedIBS"),
		plain("pRedCBS", "pRedCBS"), flagged("ind_gTribRegular", "ind_gTribRegular"),
		flagged("ind_gCredPresOper", "ind_gCredPresOper"),
		optionally(flagged("ind_gEstornoCred", "ind_gEstornoCred")), optionally(plain("tpRBSN", "tpRBSN")),
		dated("dIniVig", "dIniVig"), dated("dFimVig", "dFimVig"),
	}
	annexVIIColumns = []column{
		code("cIndOp", 6, "Código indOp"), plain("name", "Tipo de operação"),
		plain("place", "Local do fornecimento a ser identificado no DFe", "Local do fornecimento"),
	}
)

func with(first []column, more ...column) []column { return append(more, first...) }

// workbooks are those that are known.
var workbooks = []workbook{
	{
		{table: classification.TableCST, sheet: "CST ", columns: with(cstColumns,
			code("CST", 3, "CST-IBS/CBS"), plain("name", "Descrição CST-IBS/CBS"))},
		{table: classification.TableClassTrib, sheet: "cClass ", columns: with(classTribColumns,
			plain("name", "Nome cClassTrib"))},
	},
	{{table: classification.TableCredPres, sheet: "cCredPres", columns: []column{
		code("cCredPres", 2, "cCredPres"), plain("name", "Descrição"), dated("dIniVigCBS", "dIniVigCBS"),
		dated("dFimVigCBS", "dFimVigCBS"), dated("dIniVigIBS", "dIniVigIBS"), dated("dFimVigIBS", "dFimVigIBS"),
	}}},
	{{table: classification.TableIndOp, sheet: "IndOp", columns: []column{
		code("cIndOp", 6, "Código indOp"), plain("name", "Tipo de operação"),
		plain("place", "Local do fornecimento a ser identificado no DFe",
			"Local do fornecimento a ser identificado na NFSe", "Local do fornecimento"),
	}}},
	{{table: classification.TableIndOpNT009, sheet: "cIndOp", columns: annexVIIColumns}},
	// The same workbook, where it is asked for as the city's, which takes what is for NFS-e.
	{{table: classification.TableIndOpSaoPaulo, sheet: "cIndOp", only: "indNFSe", columns: annexVIIColumns}},
	{{table: classification.TableCorrelation, sheet: "tabela geral", columns: []column{
		{name: "item", headers: []string{"Item LC 116"}, read: item},
		{name: "cNBS", headers: []string{"NBS"}, read: bareNBS},
		plain("onerous", "PS ONEROSA? (S/N)"), plain("abroad", "ADQ EXTERIOR? (S/N)"), code("cIndOp", 6, "INDOP"),
		code("cClassTrib", 6, "cClassTrib"),
	}}},
	{
		{table: classification.TableServiceCode, sheet: "LISTA.SERV.NAC", columns: []column{
			code("cTribNac", 6, "CÓDIGO DE TRIBUTAÇÃO NACIONAL"), plain("name", "DESCRIÇÃO"),
		}},
		{table: classification.TableNBS, sheet: "LISTA.NBS", columns: []column{
			{name: "cNBS", headers: []string{"CÓDIGO NBS"}, read: wholeNBS}, plain("name", "DESCRIÇÃO"),
		}},
	},
}

// texts are the tables as text, by the names of their columns. A file may hold
// two.
var texts = []workbook{
	{{table: classification.TableCST, columns: with(cstColumns,
		code("CST", 3, "CST"), plain("name", "description"))}},
	{{table: classification.TableClassTrib, columns: with(classTribColumns, plain("name", "name"))}},
	{
		{table: classification.TableIndOp, only: "in_annexC", columns: []column{
			code("cIndOp", 6, "cIndOp"), plain("name", "operation_type"), plain("place", "annexC_place")}},
		{table: classification.TableIndOpNT009, only: "in_annexVII", columns: []column{
			code("cIndOp", 6, "cIndOp"), plain("name", "operation_type"), plain("place", "place_of_supply")}},
	},
	{{table: classification.TableIndOpSaoPaulo, only: "indNFSe_VII_v1.02", columns: []column{
		code("cIndOp", 6, "cIndOp"), plain("name", "operation_type"), plain("place", "place_of_supply")}}},
	{{table: classification.TableCorrelation, columns: []column{
		plain("item", "item_digits"), plain("cNBS", "cNBS"), plain("onerous", "ps_onerosa"),
		plain("abroad", "adq_exterior"), code("cIndOp", 6, "cIndOp"), code("cClassTrib", 6, "cClassTrib"),
	}}},
	{{table: classification.TableLinks, columns: []column{
		{name: "cNBS", headers: []string{"cNBS"}, read: wholeNBS}, code("cClassTrib", 6, "cClassTrib"),
		code("cIndOp", 6, "cIndOp"),
		dated("dIniVig", "dIniVig"), dated("dFimVig", "dFimVig"),
	}}},
	{{table: classification.TableServiceCode, columns: []column{
		code("cTribNac", 6, "cTribNac"), plain("name", "description")}}},
	{{table: classification.TableNBS, columns: []column{
		{name: "cNBS", headers: []string{"cNBS"}, read: wholeNBS}, plain("name", "description")}}},
}

// key is the column without which a row is a heading, a legend or a footnote.
func (l layout) key() string { return classification.Columns[l.table][0] }

// normal is a header or the name of a sheet as it is compared: without regard to
// case, and to spaces at all.
func normal(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), ""))
}

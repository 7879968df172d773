package danfse

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"emissor/internal/text"
	"emissor/nfse"
)

// Sheet is what the page of a note says, for a screen: the blocks and cells of the page that Draw
// writes, without cuts, and without cells that have nothing to say.
type Sheet struct {
	Titles []string // what it is
	Issuer string   // by its name; empty where the document does not say it
	Notice string   // that it has no fiscal value; empty: it has
	Mark   string   // across it: of the sandbox, or what became of the note; empty: it stands
	Blocks []SheetBlock
	Code   *Code // leads to the note; nil where there is no document
}

// SheetBlock is a block of a sheet. One without cells is a phrase, which is its title.
type SheetBlock struct {
	Title string
	Cells []SheetCell
}

// SheetCell is a field of a sheet.
type SheetCell struct {
	Label, Text string
	Strong      bool // the page prints its label larger
	Span        int  // how many of the page's four columns it takes
}

// Code is a QR code as the path of an SVG, whose side is Size.
type Code struct {
	Size int
	Path string
}

// Read returns the sheet of a note. What is not the XML of a note, or of an event of it, is an error.
func Read(document Document) (Sheet, error) {
	n, err := readNote(document.XML)
	if err != nil {
		return Sheet{}, err
	}
	ended, err := document.ended()
	if err != nil {
		return Sheet{}, err
	}
	size, runs, err := encoded(n.address())
	if err != nil {
		return Sheet{}, err
	}
	var path strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", r.x, r.y, r.width, r.width)
	}
	s := sheet(n, ended)
	s.Titles, s.Code = []string{"DANFSe v2.0", "Documento Auxiliar da NFS-e"}, &Code{size, path.String()}
	return s, nil
}

// Declared returns the sheet of a note without a national document: what is declared of it, with what a
// person gave in its form, nil: nothing, by an issuer, nil where that is not known yet.
func Declared(of nfse.Note, details *nfse.NoteDetails, issuer *nfse.FiscalProfile) Sheet {
	ended, titles := "", []string{"Declaração do serviço"}
	switch {
	case of.Authority == nil:
		titles = append(titles, "Não é uma NFS-e")
	case of.Status == nfse.StatusCancelled && of.ReplacedBy != "":
		ended = endedReplaced
	case of.Status == nfse.StatusCancelled:
		ended = endedCancelled
	}
	s := sheet(note{fields: declaration(of, cmp.Or(details, new(nfse.NoteDetails)), issuer), simulated: !of.Livemode}, ended)
	s.Titles = titles
	return s
}

func sheet(n note, ended string) Sheet {
	s := Sheet{Issuer: provider(n).name, Notice: n.notice(), Mark: ended}
	if n.simulated {
		s.Mark = strings.TrimPrefix(ended+" - ", " - ") + "SEM VALOR FISCAL"
	}
	for _, b := range blocks() {
		if b.omitted != nil && b.omitted(n) {
			continue
		}
		if b.phrase != nil && b.phrase(n) != "" {
			if b.title != receiverTitle && b.title != intermediaryTitle { // on a screen nobody misses them
				s.Blocks = append(s.Blocks, SheetBlock{Title: b.phrase(n)})
			}
			continue
		}
		if shown := (SheetBlock{b.title, b.filledCells(n)}); len(shown.Cells) > 0 {
			s.Blocks = append(s.Blocks, shown)
		}
	}
	return s
}

// filledCells are the cells of a block that say something.
func (b block) filledCells(n note) (all []SheetCell) {
	for _, r := range b.rows {
		cells := r.cells
		switch {
		case r.shown != nil && !r.shown(n):
			continue
		case r.top == descriptionTop:
			cells = []cell{{"Descrição do Serviço", 1, 4, 0, plain, element(service + "cServ/xDescServ")}}
		case r.top == informationTop && !n.simulated: // whose information is the notice
			cells = []cell{{"", 1, 4, 0, plain, information}}
		}
		for _, c := range cells {
			if text := c.text(n); text != "" {
				all = append(all, SheetCell{c.label, text, c.kind != plain, c.span})
			}
		}
	}
	return all
}

// declaration returns what a note says under the names that it has in an NFS-e.
func declaration(of nfse.Note, details *nfse.NoteDetails, issuer *nfse.FiscalProfile) fields {
	declared := fields{dps + "toma": {""}}
	set := func(path string, text *string) {
		if text != nil && *text != "" {
			declared[path] = []string{*text}
		}
	}
	said := func(path, text string) { set(path, &text) }
	if a := of.Authority; a != nil {
		set(inf+"nNFSe", a.Number)
		said(inf+"dhProc", brasilia(a.IssuedAt.String()))
	}
	said(dps+"dCompet", string(of.Competence))
	if issuer != nil {
		said(dps+"tpAmb", map[bool]string{true: "1", false: "2"}[issuer.Production])
		said(dps+"prest/"+inscription(string(issuer.TaxID)), string(issuer.TaxID))
		set(dps+"prest/IM", issuer.MunicipalRegistration)
		said(dps+"prest/end/endNac/cMun", issuer.MunicipalityCode)
	}

	said(dps+"toma/xNome", of.Customer.Name)
	set(dps+"toma/email", of.Customer.Email)
	if abroad := details.ForeignTaker; abroad != nil {
		said(dps+"toma/NIF", abroad.NIF)
		said(dps+"toma/cNaoNIF", strconv.Itoa(abroad.NoNIF))
		said(dps+"toma/end/endExt/xCidade", abroad.City)
		said(dps+"toma/end/endExt/cEndPost", abroad.PostalCode)
		said(dps+"toma/end/xLgr", abroad.Street)
		said(dps+"toma/end/nro", abroad.Number)
		said(dps+"toma/end/xCpl", abroad.Complement)
		said(dps+"toma/end/xBairro", abroad.District)
	} else {
		taxID, address := string(of.Customer.TaxID), of.Customer.Address
		said(dps+"toma/"+inscription(taxID), taxID)
		said(dps+"toma/end/endNac/cMun", of.Municipality.Code)
		set(dps+"toma/end/endNac/CEP", address.ZipCode)
		said(dps+"toma/end/xLgr", text.StreetLine(address))
		set(dps+"toma/end/nro", address.Number)
		set(dps+"toma/end/xCpl", address.Complement)
		set(dps+"toma/end/xBairro", address.District)
	}

	set(service+"cServ/cTribNac", of.Service.NationalTaxCode)
	set(service+"cServ/cTribMun", of.Service.MunicipalTaxCode)
	said(service+"cServ/xDescServ", of.Service.Description)
	said(service+"locPrest/cLocPrestacao", of.Service.MunicipalityCode)
	said(values+"vServPrest/vServ", nfse.FormatCents(of.AmountCents, "", "."))
	withholder := map[bool]string{true: "2", false: "1"}[of.ISSWithheld]
	if details.Intermediary != nil && details.Intermediary.WithholdsISS {
		withholder = "3"
	}
	said(city+"tpRetISSQN", withholder)
	return declared
}

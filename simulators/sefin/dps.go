package sefin

import (
	"strings"
	"time"

	"github.com/beevik/etree"
)

// dps is a received DPS that the schema accepted.
type dps struct {
	root, info *etree.Element
	raw        []byte // of the root element, as it came
}

func (d *dps) get(path string) string { return textAt(d.info, path) }
func (d *dps) has(path string) bool   { return at(d.info, path) != nil }
func (d *dps) id() string             { return d.info.SelectAttrValue("Id", "") }
func (d *dps) digest() string         { return strings.TrimSpace(textAt(d.root, digestPath)) }
func (d *dps) amount() int64          { return cents(d.get("valores/vServPrest/vServ")) }
func (d *dps) document(of string) string {
	if cnpj := d.get(of + "/CNPJ"); cnpj != "" {
		return cnpj
	}
	return d.get(of + "/CPF")
}

const digestPath = "Signature/SignedInfo/Reference/DigestValue"

// issuer is the CNPJ or CPF of who issues.
func (d *dps) issuer() string { return d.document("prest") }

// number is what may produce one NFS-e only: who, where, series and number.
func (d *dps) number() string {
	return number(d.issuer(), d.get("cLocEmi"), d.get("serie"), d.get("nDPS"))
}

func number(issuer, municipality, series, number string) string {
	return strings.Join([]string{issuer, municipality, strings.TrimLeft(series, "0"), number}, "/")
}

// expectedID is the Id that the fields make.
func (d *dps) expectedID() string {
	return "DPS" + d.get("cLocEmi") + inscription(d.issuer()) + padded(d.get("serie"), 5) + padded(d.get("nDPS"), 15)
}

func padded(number string, width int) string {
	return strings.Repeat("0", max(0, width-len(number))) + number
}

// inscription is the kind of a document, 1 for a CPF and 2 for a CNPJ, and the
// document in fourteen places.
func inscription(document string) string {
	if len(document) == 11 {
		return "1000" + document
	}
	return "2" + document
}

// place is the municipality to which ISS is due.
func (d *dps) place() string {
	return placeOf(d.get("serv/cServ/cTribNac"), d.get("cLocEmi"), d.get("serv/locPrest/cLocPrestacao"), d.get("toma/end/endNac/cMun"))
}

func (d *dps) issued() time.Time {
	at, _ := time.Parse(time.RFC3339, d.get("dhEmi")) // the schema accepted it
	return at
}

// actors are the documents of those who may see the note.
func (d *dps) actors() []string {
	var documents []string
	for _, party := range []string{"prest", "toma", "interm"} {
		if document := d.document(party); document != "" {
			documents = append(documents, document)
		}
	}
	return documents
}

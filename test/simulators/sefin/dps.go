package sefin

import (
	"strings"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/xmltree"
)

// dps is a received DPS that the schema accepted.
type dps struct {
	root, info *etree.Element
	raw        []byte // of the root element, as it came
}

func newDPS(document *xmlDocument) *dps {
	return &dps{root: document.root, info: xmltree.At(document.root, "infDPS"), raw: document.raw}
}

func (d *dps) get(path string) string { return xmltree.TextAt(d.info, path) }
func (d *dps) has(path string) bool   { return xmltree.At(d.info, path) != nil }
func (d *dps) id() string             { return d.info.SelectAttrValue("Id", "") }
func (d *dps) digest() string         { return strings.TrimSpace(xmltree.TextAt(d.root, digestPath)) }

// amount is vServ, in cents.
func (d *dps) amount() int64 { return cents.Read(d.get("valores/vServPrest/vServ")) }

// taxID is the CNPJ or CPF of a party: prest, toma or IBSCBS/dest.
func (d *dps) taxID(party string) string {
	if cnpj := d.get(party + "/CNPJ"); cnpj != "" {
		return cnpj
	}
	return d.get(party + "/CPF")
}

const digestPath = "Signature/SignedInfo/Reference/DigestValue"

// issuer is the CNPJ or CPF of the provider, who issues.
func (d *dps) issuer() string { return d.taxID("prest") }

// number is what may produce one NFS-e only: issuer, municipality, series and
// number.
func (d *dps) number() string {
	return dpsNumber(d.issuer(), d.get("cLocEmi"), d.get("serie"), d.get("nDPS"))
}

func dpsNumber(issuer, municipality, series, number string) string {
	return strings.Join([]string{issuer, municipality, strings.TrimLeft(series, "0"), number}, "/")
}

// expectedID is the Id that the fields make.
func (d *dps) expectedID() string {
	return "DPS" + d.get("cLocEmi") + accesskey.Inscription(d.issuer()) +
		padded(d.get("serie"), 5) + padded(d.get("nDPS"), 15)
}

func padded(number string, width int) string {
	return strings.Repeat("0", max(0, width-len(number))) + number
}

// place is the municipality to which ISS is due.
func (d *dps) place() string {
	return incidence(d.get("serv/cServ/cTribNac"), d.get("cLocEmi"), d.get("serv/locPrest/cLocPrestacao"),
		d.get("toma/end/endNac/cMun"))
}

func (d *dps) issued() time.Time {
	at, _ := time.Parse(time.RFC3339, d.get("dhEmi")) // the schema accepted it
	return at
}

// actors are the tax ids of those who may see the note.
func (d *dps) actors() []string {
	var taxIDs []string
	for _, party := range []string{"prest", "toma"} {
		if taxID := d.taxID(party); taxID != "" {
			taxIDs = append(taxIDs, taxID)
		}
	}
	return taxIDs
}

// elementsNotSimulated are elements of a DPS that the schema accepts, that no
// layout of Emissor writes, and for which there are neither rules nor sums here.
var elementsNotSimulated = []string{
	"subst", "interm", "prest/NIF", "prest/cNaoNIF", "serv/locPrest/cPaisPrestacao", "serv/comExt",
	"valores/vServPrest/vReceb", "valores/vDescCondIncond", "valores/vDedRed",
	"valores/trib/tribMun/exigSusp", "valores/trib/tribMun/BM", "valores/trib/tribFed",
	"IBSCBS/valores/gReeRepRes", gIBSCBS + "/cCredPres",
}

// notSimulated names the first thing in a DPS that is not simulated; empty when
// all of it is.
func (d *dps) notSimulated() string {
	for _, path := range elementsNotSimulated {
		if d.has(path) {
			return path
		}
	}
	switch {
	case d.get("tpEmit") != "1":
		return "issuing by the taker or an intermediary (tpEmit)"
	case d.get("valores/trib/tribMun/tribISSQN") != "1":
		return "what is not taxable (tribISSQN)"
	}
	return ""
}

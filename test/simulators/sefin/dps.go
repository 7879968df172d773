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

// byProvider is tpEmit of who issues for a service of his own.
const byProvider = "1"

// What tribISSQN says.
const (
	taxed       = "1"
	immune      = "2"
	exported    = "3"
	notIncident = "4"
)

// serviceCode is cTribNac.
func (d *dps) serviceCode() string { return d.get("serv/cServ/cTribNac") }

// simples is opSimpNac.
func (d *dps) simples() string { return d.get("prest/regTrib/opSimpNac") }

// place is the municipality to which ISS is due (cLocIncid); none where it is due nowhere
// (E1301).
func (d *dps) place() string {
	if d.get(tribMun+"/tribISSQN") != taxed {
		return ""
	}
	return d.dueIn()
}

// dueIn is the municipality whose rules are applied, whether ISS is due or not. What is due at
// a taker's who is abroad is due where it is performed (scenarios 64 and 78).
func (d *dps) dueIn() string {
	performed, taker := d.get("serv/locPrest/cLocPrestacao"), d.get("toma/end/endNac/cMun")
	if d.has("toma/end/endExt") && performed != waters {
		taker = performed
	}
	return incidence(d.serviceCode(), d.get("cLocEmi"), performed, taker)
}

func (d *dps) issued() time.Time {
	at, _ := time.Parse(time.RFC3339, d.get("dhEmi")) // the schema accepted it
	return at
}

// actors are the tax ids of those who may see the note.
func (d *dps) actors() []string {
	var taxIDs []string
	for _, party := range []string{"prest", "toma", "interm"} {
		if taxID := d.taxID(party); taxID != "" {
			taxIDs = append(taxIDs, taxID)
		}
	}
	return taxIDs
}

// elementsNotSimulated are elements of a DPS that the schema accepts, that no
// layout of Emissor writes, and for which there are neither rules nor sums here.
var elementsNotSimulated = []string{
	"prest/NIF", "prest/cNaoNIF", "IBSCBS/valores/gReeRepRes", gIBSCBS + "/cCredPres",
}

// notSimulated names the first thing in a DPS that is not simulated; empty when
// all of it is.
func (d *dps) notSimulated() string {
	for _, path := range elementsNotSimulated {
		if d.has(path) {
			return path
		}
	}
	return d.isUnsettled()
}

package calculator

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"emissor/internal/municipality"
	"emissor/internal/xmlread"
	"emissor/nfse"
)

// Stated is what an NFS-e states of IBS and CBS.
type Stated struct {
	Day        nfse.Day // of competence (dCompet)
	Place      municipality.Municipality
	NBS        string // cNBS
	CST        string
	CClassTrib string
	Regular    *nfse.RegularTaxation // gTribRegular; nil where there is none

	BaseCents int64 // vBC
	IBSCents  int64 // vIBSTot
	CBSCents  int64 // vCBS
}

// documentXML is what is read of an NFS-e. What must occur once is a list, so that a second one
// is seen instead of taken for the first.
type documentXML struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse NFSe"`

	Place []string `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>IBSCBS>cLocalidadeIncid"`
	Base  []string `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>IBSCBS>valores>vBC"`
	IBS   []string `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>IBSCBS>totCIBS>gIBS>vIBSTot"`
	CBS   []string `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>IBSCBS>totCIBS>gCBS>vCBS"`

	Day        []string   `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>DPS>infDPS>dCompet"`
	NBS        []string   `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>DPS>infDPS>serv>cServ>cNBS"`
	Government []string   `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>DPS>infDPS>IBSCBS>tpEnteGov"`
	Classes    []classXML `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe>DPS>infDPS>IBSCBS>valores>trib>gIBSCBS"`
}

type classXML struct {
	CST        []string `xml:"CST"`
	CClassTrib []string `xml:"cClassTrib"`
	Regular    []struct {
		CST        []string `xml:"CSTReg"`
		CClassTrib []string `xml:"cClassTribReg"`
	} `xml:"gTribRegular"`
	Deferral []struct{} `xml:"gDif"`
}

// Read reads an NFS-e. The error says why the calculator is not asked about it.
func Read(document []byte) (Stated, error) {
	var read documentXML
	if err := xmlread.Into(document, &read); err != nil {
		return Stated{}, err
	}
	switch {
	case len(read.Base) == 0 || len(read.Classes) == 0:
		return Stated{}, errors.New("the document states no IBS and CBS")
	case len(read.Government) > 0:
		return Stated{}, errors.New("the calculator is not asked about purchases of governments")
	case len(read.Classes) > 1 || len(read.Classes[0].Regular) > 1:
		return Stated{}, errors.New("the document has more than one classification")
	case len(read.Classes[0].Deferral) > 0:
		return Stated{}, errors.New("the calculator is not asked about what is deferred")
	}
	return read.stated()
}

// lastDay is the last of competence about which the calculator is asked: for later ones it wants
// the nominal rates, which are not fixed.
const lastDay nfse.Day = "2026-12-31"

func (d documentXML) stated() (s Stated, err error) {
	class := d.Classes[0]
	one := func(element string, texts []string) string {
		if len(texts) != 1 {
			err = errors.Join(err, fmt.Errorf("the document has %s %d times", element, len(texts)))
			return ""
		}
		return strings.TrimSpace(texts[0])
	}
	cents := func(element string, texts []string) int64 {
		amount, ok := xmlread.Cents(one(element, texts))
		if !ok {
			err = errors.Join(err, fmt.Errorf("the document's %s is no amount", element))
		}
		return amount
	}
	s = Stated{
		Day: nfse.Day(one("dCompet", d.Day)), NBS: one("cNBS", d.NBS), CST: one("CST", class.CST),
		CClassTrib: one("cClassTrib", class.CClassTrib), BaseCents: cents("vBC", d.Base),
		IBSCents: cents("vIBSTot", d.IBS), CBSCents: cents("vCBS", d.CBS),
	}
	for _, regular := range class.Regular {
		s.Regular = &nfse.RegularTaxation{CST: one("CSTReg", regular.CST),
			CClassTrib: one("cClassTribReg", regular.CClassTrib)}
	}
	place := one("cLocalidadeIncid", d.Place)
	known := false
	if s.Place, known = municipality.Find(place); !known {
		err = errors.Join(err, fmt.Errorf("IBS and CBS are due at %q, which is no municipality", place))
	}
	if err == nil && s.Day > lastDay {
		err = fmt.Errorf("the calculator is not asked about competence after %s: it wants rates that are not fixed",
			lastDay)
	}
	return s, err
}

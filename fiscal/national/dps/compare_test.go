package dps

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// readDPS is a DPS read back, by names alone: the schema checks the rest.
type readDPS struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse DPS"`
	Version string   `xml:"versao,attr"`
	Inf     struct {
		ID           string     `xml:"Id,attr"`
		Environment  string     `xml:"tpAmb"`
		Moment       string     `xml:"dhEmi"`
		Series       int        `xml:"serie"`
		Number       int64      `xml:"nDPS"`
		Competence   string     `xml:"dCompet"`
		Municipality string     `xml:"cLocEmi"`
		Issuer       readParty  `xml:"prest"`
		Taker        readParty  `xml:"toma"`
		National     string     `xml:"serv>cServ>cTribNac"`
		Municipal    *string    `xml:"serv>cServ>cTribMun"`
		Description  string     `xml:"serv>cServ>xDescServ"`
		NBS          *string    `xml:"serv>cServ>cNBS"`
		Internal     string     `xml:"serv>cServ>cIntContrib"`
		Amount       string     `xml:"valores>vServPrest>vServ"`
		Withholding  string     `xml:"valores>trib>tribMun>tpRetISSQN"`
		Rate         *string    `xml:"valores>trib>tribMun>pAliq"`
		Totals       readTotals `xml:"valores>trib>totTrib"`

		IBSCBS *readIBSCBS `xml:"IBSCBS"`
		readGroups
	} `xml:"infDPS"`
	Signature readSignature `xml:"http://www.w3.org/2000/09/xmldsig# Signature"`
}

type readParty struct {
	CNPJ         string  `xml:"CNPJ"`
	CPF          string  `xml:"CPF"`
	NIF          string  `xml:"NIF"`
	NoNIF        int     `xml:"cNaoNIF"`
	Registration *string `xml:"IM"`
	Name         *string `xml:"xNome"`
	Address      *struct {
		Municipality string  `xml:"endNac>cMun"`
		ZipCode      string  `xml:"endNac>CEP"`
		Country      string  `xml:"endExt>cPais"`
		PostalCode   string  `xml:"endExt>cEndPost"`
		City         string  `xml:"endExt>xCidade"`
		Region       string  `xml:"endExt>xEstProvReg"`
		Street       string  `xml:"xLgr"`
		Number       string  `xml:"nro"`
		Complement   *string `xml:"xCpl"`
		District     string  `xml:"xBairro"`
	} `xml:"end"`
	Phone   *string `xml:"fone"`
	Email   *string `xml:"email"`
	Simples int     `xml:"regTrib>opSimpNac"`
	Regime  *int    `xml:"regTrib>regApTribSN"`
	Special int     `xml:"regTrib>regEspTrib"`
}

type readTotals struct {
	Federal   string `xml:"pTotTrib>pTotTribFed"`
	State     string `xml:"pTotTrib>pTotTribEst"`
	Municipal string `xml:"pTotTrib>pTotTribMun"`
	None      string `xml:"indTotTrib"`
	Simples   string `xml:"pTotTribSN"`
}

type readSignature struct {
	Digest string `xml:"SignedInfo>Reference>DigestValue"`
}

// compareDPS holds a message against what was asked for.
func compareDPS(t *testing.T, signer Signer, declaration fiscal.Declaration, message fiscal.Message, at time.Time) {
	t.Helper()
	var read readDPS
	if err := xml.Unmarshal(message.XML, &read); err != nil {
		t.Fatalf("%v\n%s", err, message.XML)
	}
	note, issuer, inf := declaration.Note, declaration.Issuer, read.Inf
	same := func(element string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %#v, want %#v", element, got, want)
		}
	}
	same("versao", read.Version, "1.01")
	same("Id", inf.ID, message.ID)
	same("length of the Id", len(inf.ID), 45)
	same("DigestValue", read.Signature.Digest, message.Digest)
	same("layout", message.Layout, "1.01")
	same("tpAmb is 1", inf.Environment == "1", issuer.Production)
	same("serie", inf.Series, issuer.Series)
	same("nDPS", inf.Number, declaration.Number)
	same("cLocEmi", inf.Municipality, issuer.MunicipalityCode)
	moment, err := time.Parse(time.RFC3339, inf.Moment)
	early, begins := at.Sub(moment), moment.Equal(note.Competence.Begin())
	if err != nil || early < time.Minute && !begins || early < 0 || early > 16*time.Minute ||
		!strings.HasSuffix(inf.Moment, "-03:00") {
		t.Errorf("dhEmi %s at %s: %v", inf.Moment, at, err)
	}
	same("dCompet", inf.Competence, string(note.Competence))
	same("dCompet is later than dhEmi", inf.Competence > inf.Moment[:10], false)

	same("prest", inf.Issuer.CNPJ+inf.Issuer.CPF, string(issuer.TaxID))
	same("prest is a company", inf.Issuer.CNPJ != "", issuer.TaxID.IsCNPJ())
	same("prest has a name", inf.Issuer.Name != nil, false)
	same("prest has an address", inf.Issuer.Address != nil, false)
	same("prest has a phone or an e-mail", inf.Issuer.Phone != nil || inf.Issuer.Email != nil, false)
	same("prest has IM", inf.Issuer.Registration != nil, issuer.SendMunicipalRegistration)
	same("opSimpNac", inf.Issuer.Simples, int(issuer.Simples))
	same("regApTribSN", fmt.Sprint(deref(inf.Issuer.Regime)), fmt.Sprint(deref(issuer.SimplesRegime)))
	same("regEspTrib", inf.Issuer.Special, issuer.SpecialRegime)

	compareGroups(t, declaration, read.Inf.readGroups)
	if foreign := declaration.Details.ForeignTaker; foreign == nil {
		compareTaker(t, declaration, inf.Taker)
	} else {
		compareForeign(t, *foreign, inf.Taker)
	}
	same("toma has a phone or an e-mail", inf.Taker.Phone != nil || inf.Taker.Email != nil, false)
	same("toma has IM", inf.Taker.Registration != nil, false)
	same("cTribNac", inf.National, *note.Service.NationalTaxCode)
	same("cTribMun is left out", inf.Municipal == nil, true)
	same("xDescServ", inf.Description, schema.Lines(note.Service.Description))
	same("cIntContrib", inf.Internal, note.ID[len(note.ID)-20:])

	same("vServ", cents(t, inf.Amount), note.AmountCents)
	same("tpRetISSQN", inf.Withholding, fmt.Sprint(int(declaration.ISSWithheldBy())))
	if inf.Rate != nil {
		same("pAliq", cents(t, *inf.Rate), int64(*note.Service.ISSRate))
	}
	percent := func(p nfse.Percent) string { return fmt.Sprintf("%d.%02d", p/100, p%100) }
	taxes := issuer.ApproximateTaxes
	same("totTrib", inf.Totals, map[nfse.SimplesOption]readTotals{
		nfse.SimplesNone: {
			Federal: percent(taxes.Federal), State: percent(taxes.State), Municipal: percent(taxes.Municipal),
		},
		nfse.SimplesMEI: {None: "0"},
		nfse.SimplesME:  {Simples: percent(taxes.Simples)},
	}[issuer.Simples])

	sent := signer.IBSCBS.Sent(declaration, note.Competence)
	same("IBSCBS is sent", inf.IBSCBS != nil, sent)
	same("cNBS is sent", inf.NBS != nil, sent || taxation.ExportOfDeclaration(declaration).ForeignTrade)
	if inf.NBS != nil {
		same("cNBS", *inf.NBS, declaration.Classification.NBS)
	}
	if sent {
		compareIBSCBS(t, *inf.IBSCBS, *declaration.Classification)
	}
}

func compareCancellation(t *testing.T, request fiscal.CancellationRequest, message fiscal.Message, at time.Time) {
	t.Helper()
	var read struct {
		XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse pedRegEvento"`
		Inf     struct {
			ID        string `xml:"Id,attr"`
			Moment    string `xml:"dhEvento"`
			CNPJ      string `xml:"CNPJAutor"`
			CPF       string `xml:"CPFAutor"`
			AccessKey string `xml:"chNFSe"`
			Events    []struct {
				XMLName    xml.Name
				ReasonCode string `xml:"cMotivo"`
				ReasonText string `xml:"xMotivo"`
			} `xml:",any"`
		} `xml:"infPedReg"`
		Signature readSignature `xml:"http://www.w3.org/2000/09/xmldsig# Signature"`
	}
	if err := xml.Unmarshal(message.XML, &read); err != nil {
		t.Fatalf("%v\n%s", err, message.XML)
	}
	inf, author := read.Inf, request.Issuer.TaxID
	said, event := inf.Events[len(inf.Events)-1], "101101"
	if request.Analysis {
		event = "101103"
	}
	if said.XMLName.Local != "e"+event {
		t.Errorf("the event is %s, want %s", said.XMLName.Local, event)
	}
	if inf.ID != message.ID || inf.ID != "PRE"+request.AccessKey+event || inf.AccessKey != request.AccessKey {
		t.Errorf("Id %s, message %s, key %s", inf.ID, message.ID, inf.AccessKey)
	}
	if author.IsCNPJ() != (inf.CNPJ != "") || inf.CNPJ+inf.CPF != string(author) {
		t.Errorf("author %q %q, want %s", inf.CNPJ, inf.CPF, author)
	}
	if moment, err := time.Parse(time.RFC3339, inf.Moment); err != nil || at.Sub(moment) != time.Minute {
		t.Errorf("dhEvento %s at %s: %v", inf.Moment, at, err)
	}
	text := schema.Line(request.ReasonText)
	holds := strings.Contains(said.ReasonText, text[:min(len(text), 200)]) || utf8.RuneCountInString(text) > 255
	if said.ReasonCode != request.ReasonCode || !holds {
		t.Errorf("reason %s %q", said.ReasonCode, said.ReasonText)
	}
	if read.Signature.Digest != message.Digest {
		t.Errorf("digest %s in the message, %s beside it", read.Signature.Digest, message.Digest)
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// compareEnvelope holds what every message of ours has in common: UTF-8, no
// prefix, no empty-element tag, and a signature of the profile asked for.
func compareEnvelope(t *testing.T, signer Signer, message fiscal.Message) {
	t.Helper()
	text, declared := strings.CutPrefix(string(message.XML), `<?xml version="1.0" encoding="UTF-8"?>`)
	if !declared || !utf8.ValidString(text) || strings.ContainsRune(text, '\r') {
		t.Error("not UTF-8 as declared, or with carriage returns")
	}
	for _, tag := range tag.FindAllString(text, -1) {
		name := strings.Fields(strings.Trim(tag, "</>"))[0]
		if strings.Contains(name, ":") || strings.Contains(tag, "xmlns:") || strings.HasSuffix(tag, "/>") {
			t.Errorf("tag %s", tag)
		}
	}
	profile := signer.Profile
	if strings.Contains(text, "exc-c14n") != profile.Exclusive || strings.Contains(text, "rsa-sha1") != profile.SHA1 {
		t.Errorf("not signed as %s", signer.Profile)
	}
	signature, err := xmldsig.Verify(message.XML, nil, nationaltest.At)
	if err != nil || signature.Digest != message.Digest || signature.ID != message.ID {
		t.Errorf("our own verification: %v, %+v", err, signature.ID)
	}
}

// cents reads two decimals as hundredths, without a float.
func cents(t *testing.T, decimal string) int64 {
	t.Helper()
	whole, decimals, found := strings.Cut(decimal, ".")
	value, err := strconv.ParseInt(whole+decimals, 10, 64)
	if err != nil || !found || len(decimals) != 2 {
		t.Errorf("%q has not two decimals", decimal)
	}
	return value
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

package adn

import (
	"strconv"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/sefin"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	maxName        = 150 // TSNomeRazaoSocial has 150 characters (layout 1.01: 300 are allowed for some)
	maxDescription = 2000
	maxNumber      = 15
)

// received reads a document of another issuer, of which the asker is a party. Texts are
// shortened to one line each: the whole is in the document, which is kept.
func (r reader) received(item fiscal.Distributed, read sefin.DocumentFacts) *fiscal.ReceivedDocument {
	_, fields, err := xmlread.Fields(item.Content)
	if err != nil {
		fields = nil // it was read before: what it says is empty at worst
	}
	one := func(path string) string { return only(fields["infNFSe/"+path]) }
	party := func(path string) nfse.TaxID { return taxIDOf(one(path+"/CNPJ"), one(path+"/CPF")) }
	const dps = "DPS/infDPS/"
	document := &fiscal.ReceivedDocument{
		Role:        r.role(party(dps+"toma"), party(dps+"interm"), party(dps+"prest")),
		IssuerTaxID: party("emit"), IssuerName: line(one("emit/xNome"), maxName),
		Number: line(read.Number, maxNumber), IssuedAt: read.ProcessedAt,
		ServiceCode:  line(one(dps+"serv/cServ/cTribNac"), maxNumber),
		Description:  line(one(dps+"serv/cServ/xDescServ"), maxDescription),
		Municipality: line(one("cLocIncid"), maxNumber),
		Totals:       read.Totals,
		SignatureProblem: checked(func() fact.Fact {
			return r.verifier.DocumentSignatureProblem(item.Content, "NFS"+read.AccessKey, read.ProcessedAt)
		}),
	}
	if !storable(document.IssuedAt) {
		document.IssuedAt = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	document.Competence = competence(one(dps+"dCompet"), document.IssuedAt)
	if by, err := strconv.Atoi(one(dps + "valores/trib/tribMun/tpRetISSQN")); err == nil && by >= 1 && by <= 3 {
		document.ISSWithheldBy = by
	}
	return document
}

// role is what the asker is in a document with these parties.
func (r reader) role(taker, intermediary, provider nfse.TaxID) fiscal.ReceivedRole {
	switch r.issuer {
	case taker:
		return fiscal.RoleTaker
	case intermediary:
		return fiscal.RoleIntermediary
	case provider:
		return fiscal.RoleProvider
	}
	return fiscal.RoleUnknown
}

// taxIDOf is the CNPJ or CPF of a party; empty where it has neither, or none of their form.
func taxIDOf(numbers ...string) nfse.TaxID {
	for _, number := range numbers {
		if id, err := nfse.ParseTaxID(number); err == nil {
			return id
		}
	}
	return ""
}

// competence is the day that a document says, or that of its issue where it says none.
func competence(said string, issuedAt time.Time) nfse.Day {
	if day, err := time.Parse(time.DateOnly, said); err == nil && storable(day) {
		return nfse.Day(said)
	}
	return nfse.DayOf(issuedAt)
}

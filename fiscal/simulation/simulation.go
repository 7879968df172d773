// Package simulation takes the authority's place for notes of the test
// environment. Nothing leaves the process, no certificate is opened and no fiscal
// number is used: what it gives a note is derived from the note's id, so that a
// repeated step gives the same answer, and says that it is a simulation.
//
// Issue authorizes a note, Reject refuses one that asked for a rejection
// (nfse.ScenarioRejected), and Authority accepts every cancellation.
package simulation

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/xml"
	"fmt"

	"emissor/fiscal/national/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Issue makes the authorization and the XML that a real authority would give an
// issued note, at the moment its processing ended.
func Issue(note nfse.Note, at nfse.Timestamp) (nfse.Authorization, []byte, error) {
	authorization := authorize(note.ID, at)
	xml, err := buildXML(note, authorization)
	return authorization, xml, err
}

// authorize makes numbers far from every fiscal sequence: the number starts with 9
// and has all the 13 digits of nNFSe, and the access key belongs to the
// municipality 0000000 and an issuer 00000000000000, which do not exist.
func authorize(noteID string, at nfse.Timestamp) nfse.Authorization {
	digest := sha256.Sum256([]byte(noteID))
	seed := binary.BigEndian.Uint64(digest[:8])
	number := fmt.Sprintf("9%012d", seed%1_000_000_000_000)
	verification := fmt.Sprintf("SIM%06d", binary.BigEndian.Uint64(digest[8:16])%1_000_000)
	random := binary.BigEndian.Uint64(digest[16:24]) % 1_000_000_000
	// The layout of a real key: municipality, generating environment, kind of tax id, tax id,
	// nNFSe, year and month, random number, and a digit that is no check digit here.
	key := fmt.Sprintf("00000002200000000000000%s%s%09d0", number, at.UTC().Format("0601"), random)
	return nfse.Authorization{Number: &number, VerificationCode: &verification, AccessKey: &key, IssuedAt: at}
}

// simulatedNFSe is the XML of a simulated note.
type simulatedNFSe struct {
	XMLName      xml.Name `xml:"SimulatedNFSe"`
	Notice       string   `xml:"notice"`
	ID           string   `xml:"id"`
	Reference    string   `xml:"reference"`
	Number       string   `xml:"number"`
	AccessKey    string   `xml:"accessKey"`
	IssuedAt     string   `xml:"issuedAt"`
	AmountCents  int64    `xml:"amountCents"`
	Competence   nfse.Day `xml:"competence"`
	ISSWithheld  bool     `xml:"issWithheld"`
	Municipality string   `xml:"takerMunicipality"`
	Taker        struct {
		Document string `xml:"document"`
		Name     string `xml:"name"`
	} `xml:"taker"`
	Service struct {
		Description     string `xml:"description"`
		Municipality    string `xml:"municipality"`
		NationalTaxCode string `xml:"nationalTaxCode,omitempty"`
	} `xml:"service"`
}

// buildXML writes XML that nobody can mistake for an NFS-e: no element and no
// namespace of the national layout, no signature, and a notice in both languages.
func buildXML(note nfse.Note, authorization nfse.Authorization) ([]byte, error) {
	d := simulatedNFSe{
		Notice:       "SIMULAÇÃO - SEM VALOR FISCAL. Simulation of the test environment: no fiscal document exists.",
		ID:           note.ID,
		Reference:    note.Reference,
		Number:       *authorization.Number,
		AccessKey:    *authorization.AccessKey,
		IssuedAt:     authorization.IssuedAt.String(),
		AmountCents:  note.AmountCents,
		Competence:   note.Competence,
		ISSWithheld:  note.ISSWithheld,
		Municipality: note.Municipality.Code,
	}
	d.Taker.Document, d.Taker.Name = string(note.Customer.TaxID), note.Customer.Name
	d.Service.Description, d.Service.Municipality = note.Service.Description, note.Service.MunicipalityCode
	d.Service.NationalTaxCode = nfse.OrEmpty(note.Service.NationalTaxCode)
	body, err := xml.MarshalIndent(d, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

// Reject makes a rejection as the national authority words it: the taker's tax id
// is not in the federal register (rules E0190 and E0207).
func Reject(note nfse.Note) nfse.Rejection {
	code, kind := "E0207", "CPF"
	if note.Customer.TaxID.IsCNPJ() {
		code, kind = "E0190", "CNPJ"
	}
	remark := fact.RejectionSimulated.Fact()
	return nfse.Rejection{
		Source:  nfse.RejectedByAuthority,
		Code:    code,
		Message: kind + " do tomador não encontrado no cadastro " + kind + ".",
		Field:   new("customer.document"),
		Explanation: "The taker's " + kind + " does not exist in the federal register on the date of the service. " +
			remark.English(),
		Action:  "Check the customer's document with the customer, then issue again with a new reference.",
		Wording: nfse.Wording{Catalogue: rules.Name, Remark: remark},
	}
}

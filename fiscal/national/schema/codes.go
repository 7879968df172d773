package schema

import (
	"errors"
	"regexp"
	"time"

	"emissor/nfse"
)

// Namespace is the namespace of every element of the national system.
const Namespace = "http://www.sped.fazenda.gov.br/nfse"

// The greatest values of elements: of texts, in characters.
const (
	MaxName          = 300 // xNome
	MaxStreet        = 255 // xLgr
	MaxAddressNumber = 60  // nro
	MaxComplement    = 156 // xCpl
	MaxDistrict      = 60  // xBairro

	MaxNIF        = 40 // NIF
	MaxPostalCode = 11 // cEndPost
	MaxCity       = 60 // xCidade
	MaxRegion     = 60 // xEstProvReg

	MaxWorkRegistration     = 30      // cObra
	MaxTechnicalDocument    = 40      // idDocTec
	MaxEventName            = 255     // xNome of atvEvento
	MaxEventIdentification  = 30      // idAtvEvt
	MaxTradeNumber          = 12      // nDI, nRE
	MaxDeducted             = 1000    // docDedRed, in number
	MaxDocumentNumber       = 255     // nDocFisc, nDoc
	MaxDeductionDescription = 150     // xDescOutDed
	MinReason, MaxReason    = 15, 255 // xMotivo

	MaxPropertyRegistration = 30   // inscImobFisc
	MaxDescription          = 2000 // xDescServ

	MaxSeries = 49999               // serie, of an issuer's own software (E0010)
	MaxNumber = 999_999_999_999_999 // nDPS
)

var (
	municipalityForm = regexp.MustCompile(`^[0-9]{7}$`)
	zipCodeForm      = regexp.MustCompile(`^[0-9]{8}$`)
)

// ValidMunicipality reports whether a code has the form of an IBGE municipality
// (TSCodMunIBGE); not whether there is such a municipality.
func ValidMunicipality(code string) bool { return municipalityForm.MatchString(code) }

// ValidZipCode reports whether a zip code (TSCEP) has its eight digits.
func ValidZipCode(code string) bool { return zipCodeForm.MatchString(code) }

// dayForm is the form of dates in documents (TSData), of this century.
var dayForm = regexp.MustCompile(`^20[0-9]{2}-`)

// ValidDay reports whether a day is one that documents can carry.
func ValidDay(day nfse.Day) bool {
	_, err := time.Parse(time.DateOnly, string(day))
	return err == nil && dayForm.MatchString(string(day))
}

// ValidTaxID reports whether a CPF or CNPJ is bare and its check digits are
// right.
func ValidTaxID(id nfse.TaxID) bool {
	parsed, err := nfse.ParseTaxID(string(id))
	return err == nil && parsed == id
}

// Registration returns a CPF or CNPJ as message ids and access keys have it, 15
// characters: 1 and a CPF padded with 000, or 2 and a CNPJ.
func Registration(id nfse.TaxID) (string, error) {
	switch {
	case !ValidTaxID(id):
		return "", errors.New("tax id is not a valid CPF or CNPJ")
	case id.IsCNPJ():
		return "2" + string(id), nil
	}
	return "1000" + string(id), nil
}

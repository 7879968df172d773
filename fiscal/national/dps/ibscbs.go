package dps

import (
	"errors"
	"regexp"
	"unicode/utf8"

	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

var (
	threeDigits = regexp.MustCompile(`^[0-9]{3}$`)
	sixDigits   = regexp.MustCompile(`^[0-9]{6}$`)
	nineDigits  = regexp.MustCompile(`^[0-9]{9}$`)
)

// ibscbsOf is the classification as elements can carry it: what the tables say of
// its codes, rules.Checker has checked before.
func ibscbsOf(classification nfse.Classification) (*nfse.Classification, error) {
	c := classification
	switch {
	case !nineDigits.MatchString(c.NBS):
		return nil, errors.New("cNBS: not 9 digits")
	case !sixDigits.MatchString(c.CIndOp):
		return nil, errors.New("cIndOp: not 6 digits")
	case !threeDigits.MatchString(c.CST) || !sixDigits.MatchString(c.CClassTrib):
		return nil, errors.New("cClassTrib: not a CST of 3 digits and a code of 6")
	case c.Property == nil:
		return &c, nil
	}
	property, err := propertyOf(*c.Property)
	c.Property = property
	return &c, err
}

// propertyOf is a property with texts that fit.
func propertyOf(property nfse.Property) (*nfse.Property, error) {
	if property.Registration != nil {
		property.Registration = new(schema.Line(*property.Registration))
		if err := fits("inscImobFisc", *property.Registration, schema.MaxPropertyRegistration); err != nil {
			return nil, err
		}
	}
	if property.Address == nil {
		if property.CIB == nil || utf8.RuneCountInString(*property.CIB) != 8 {
			return nil, errors.New("imovel: neither a CIB of 8 characters nor an address")
		}
		return &property, nil
	}
	a := *property.Address
	a.Street, a.Number, a.District = schema.Line(a.Street), schema.Line(a.Number), schema.Line(a.District)
	if a.Complement != nil {
		a.Complement = new(schema.Line(*a.Complement))
		if err := fits("xCpl", *a.Complement, schema.MaxComplement); err != nil {
			return nil, err
		}
	}
	if !schema.ValidZipCode(a.ZipCode) {
		return nil, errors.New("imovel: CEP: not 8 digits")
	}
	property.Address = &a
	return &property, errors.Join(fits("xLgr", a.Street, schema.MaxStreet),
		fits("nro", a.Number, schema.MaxAddressNumber), fits("xBairro", a.District, schema.MaxDistrict))
}

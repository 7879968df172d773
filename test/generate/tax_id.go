package generate

import (
	"fmt"
	"strings"
)

// TaxID is a CPF or a CNPJ, without a mask, in capital letters.
func (g *Generator) TaxID() string {
	if g.Chance(0.6) {
		return g.CPF()
	}
	return g.CNPJ()
}

// CPF is the tax id of a person.
func (g *Generator) CPF() string {
	return checked(fmt.Sprintf("%09d", 1+g.IntN(999_999_998)), 11)
}

// CNPJ is the tax id of a company; every second one has letters.
func (g *Generator) CNPJ() string {
	const digits, alphabet = 10, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	most := digits
	if g.Chance(0.5) {
		most = len(alphabet)
	}
	body := make([]byte, 12)
	for i := range body {
		body[i] = alphabet[g.IntN(most)]
	}
	return checked(string(body), 9)
}

// checked is WithCheckDigits. What repeats one digit is nobody's: another is taken.
func checked(body string, heaviest int) string {
	if strings.Count(body, body[:1]) == len(body) {
		body = "1" + body[1:len(body)-1] + "2"
	}
	return WithCheckDigits(body, heaviest)
}

// WithCheckDigits adds the two check digits of a CPF or a CNPJ: modulo 11, with weights
// from 2 up to a heaviest, from the right: 11 for a CPF, 9 for a CNPJ.
func WithCheckDigits(body string, heaviest int) string {
	for range 2 {
		sum := 0
		for i := range body {
			sum += int(body[len(body)-1-i]-'0') * (2 + i%(heaviest-1))
		}
		digit := 11 - sum%11
		if digit > 9 {
			digit = 0
		}
		body += fmt.Sprint(digit)
	}
	return body
}

// Written is a tax id as somebody writes it: with its mask or without, and now and
// then in lower case.
func (g *Generator) Written(id string) string {
	if g.Chance(0.1) {
		id = strings.ToLower(id)
	}
	switch {
	case g.Chance(0.5):
		return id
	case len(id) == 11:
		return id[:3] + "." + id[3:6] + "." + id[6:9] + "-" + id[9:]
	}
	return id[:2] + "." + id[2:5] + "." + id[5:8] + "/" + id[8:12] + "-" + id[12:]
}

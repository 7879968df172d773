// Package checkdigit tells which numbers of Brazilian registers can exist: CNPJ, CPF, CEI
// and municipalities by their check digits, CEP by their ranges. It is for the simulators.
package checkdigit

import (
	"slices"
	"strings"
)

// Modulo11 is the check digit of a text by weights that run from 2 upwards, from
// the right, and begin again after most. The value of a character is its place
// in ASCII after 0, so that letters count too.
func Modulo11(text string, most int) byte {
	sum, weight := 0, 2
	for i := len(text) - 1; i >= 0; i-- {
		sum += int(text[i]-'0') * weight
		if weight++; weight > most {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

// Digits reports whether a text holds nothing but digits.
func Digits(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// CNPJ checks the two digits of a CNPJ, numeric or alphanumeric.
func CNPJ(cnpj string) bool {
	if len(cnpj) != 14 || !Digits(cnpj[12:]) || cnpj == strings.Repeat(cnpj[:1], 14) {
		return false
	}
	return cnpj[12] == Modulo11(cnpj[:12], 9) && cnpj[13] == Modulo11(cnpj[:13], 9)
}

// CPF checks the two digits of a CPF.
func CPF(cpf string) bool {
	if len(cpf) != 11 || !Digits(cpf) || cpf == strings.Repeat(cpf[:1], 11) {
		return false
	}
	return cpf[9] == Modulo11(cpf[:9], 10) && cpf[10] == Modulo11(cpf[:10], 11)
}

// CEI checks the digit of a registration of works with social security (CEI).
func CEI(cei string) bool {
	const weights = "74185216374"
	if len(cei) != len(weights)+1 || !Digits(cei) || cei == strings.Repeat("0", len(cei)) {
		return false
	}
	sum := 0
	for i := range weights {
		sum += int(cei[i]-'0') * int(weights[i]-'0')
	}
	return int(cei[11]-'0') == (10-(sum/10%10+sum%10)%10)%10
}

// States are by the first two digits of the code of a municipality.
var States = map[string]string{
	"11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
	"21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA",
	"31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS",
	"50": "MS", "51": "MT", "52": "GO", "53": "DF",
}

// irregularMunicipalities are the codes whose last digit is not the one computed.
var irregularMunicipalities = []string{
	"2201919", "2201988", "2202251", "2611533", "3117836", "3152131", "4305871", "5203939", "5203962",
}

// Municipality reports whether IBGE could have given a code: its state exists and its
// last digit is right. It does not know the list of municipalities.
func Municipality(code string) bool {
	if len(code) != 7 || !Digits(code) || States[code[:2]] == "" {
		return false
	}
	sum := 0
	for i := range 6 {
		product := int(code[i]-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return int(code[6]-'0') == (10-sum%10)%10 || slices.Contains(irregularMunicipalities, code)
}

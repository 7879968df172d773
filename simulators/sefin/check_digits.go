package sefin

import "emissor/simulators/shared/checkdigit"

// What every simulator checks of numbers.
var (
	digits             = checkdigit.Digits
	modulo11           = checkdigit.Modulo11
	validCNPJ          = checkdigit.CNPJ
	validCPF           = checkdigit.CPF
	municipalityExists = checkdigit.Municipality
	states             = checkdigit.States
	stateOfCEP         = checkdigit.StateOfCEP
	firstCEP           = checkdigit.FirstCEP
)

// validKey checks the form and the digit of an access key.
func validKey(key string) bool {
	return len(key) == 50 && digits(key[:9]) && digits(key[23:]) && key[49] == modulo11(key[:49], 9)
}

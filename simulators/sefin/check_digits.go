package sefin

import "strings"

// modulo11 is the check digit of a text by weights that run from 2 upwards, from
// the right, and begin again after most. The value of a character is its place
// in ASCII after 0, so that letters count too.
func modulo11(text string, most int) byte {
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

func digits(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// validCNPJ checks the two digits of a CNPJ, numeric or alphanumeric.
func validCNPJ(cnpj string) bool {
	if len(cnpj) != 14 || !digits(cnpj[12:]) || cnpj == strings.Repeat(cnpj[:1], 14) {
		return false
	}
	return cnpj[12] == modulo11(cnpj[:12], 9) && cnpj[13] == modulo11(cnpj[:13], 9)
}

// validCPF checks the two digits of a CPF.
func validCPF(cpf string) bool {
	if len(cpf) != 11 || !digits(cpf) || cpf == strings.Repeat(cpf[:1], 11) {
		return false
	}
	return cpf[9] == modulo11(cpf[:9], 10) && cpf[10] == modulo11(cpf[:10], 11)
}

// validKey checks the form and the digit of an access key.
func validKey(key string) bool {
	return len(key) == 50 && digits(key[:9]) && digits(key[23:]) && key[49] == modulo11(key[:49], 9)
}

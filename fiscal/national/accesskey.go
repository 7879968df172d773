package national

import "regexp"

// An access key (chave de acesso, 50 characters) is: municipality 7, system that
// generated the note 1, kind of document 1, document 14, number of the note 13,
// year and month of issue 4, random number 9, check digit 1.
//
// The official schema's type (TSChaveNFSe) looks for the document three
// characters too early, and so refuses keys of companies whose CNPJ has a letter
// in its twelfth place. This is the form that the key's own definition gives.
var accessKeyForm = regexp.MustCompile(`^[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{27}$`)

// validAccessKey reports whether a key has the right form and check digit.
func validAccessKey(key string) bool {
	return accessKeyForm.MatchString(key) && checkDigit(key[:49]) == key[49]
}

// checkDigit is the last digit of an access key: modulo 11, weights 2 to 9 over
// and over from the right, a character counting as its ASCII code less 48.
func checkDigit(key string) byte {
	sum, weight := 0, 2
	for i := len(key) - 1; i >= 0; i-- {
		sum += int(key[i]-'0') * weight
		if weight++; weight > 9 {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

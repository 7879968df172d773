package schema

import "regexp"

// An access key (chave de acesso, 50 characters) is: municipality 7, system that
// generated the document 1, kind of tax id 1, tax id 14, number of the document
// 13, year and month of issue 4, random number 9, check digit 1.
//
// The official schema's type (TSChaveNFSe) looks for the tax id three characters
// too early, and so refuses keys of companies whose CNPJ has a letter in its
// twelfth place. This is the form that the key's own definition gives.
var accessKeyForm = regexp.MustCompile(`^[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{27}$`)

// AccessKeyForm reports whether a text has the form of an access key, regardless of its check digit.
func AccessKeyForm(key string) bool { return accessKeyForm.MatchString(key) }

// ValidAccessKey reports whether a key has the right form and check digit.
func ValidAccessKey(key string) bool { return AccessKeyForm(key) && CheckDigit(key[:49]) == key[49] }

// CheckDigit computes the last digit of an access key: modulo 11, weights 2 to 9
// over and over from the right, a character counting as its ASCII code less 48.
func CheckDigit(key string) byte {
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

// GeneratedByNational is the mark of keys whose document the national system made.
const GeneratedByNational = '2'

// GeneratedBy returns the mark of the system that made the document of a key of the right form.
func GeneratedBy(key string) byte { return key[7] }

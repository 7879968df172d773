package sefin

import "slices"

// states are the first two digits of a municipality code.
var states = map[string]string{
	"11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
	"21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA",
	"31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS",
	"50": "MS", "51": "MT", "52": "GO", "53": "DF",
}

// irregularMunicipalities are the codes whose last digit is not the one computed.
var irregularMunicipalities = []string{
	"2201919", "2201988", "2202251", "2611533", "3117836", "3152131", "4305871", "5203939", "5203962",
}

// municipalityExists tells whether IBGE could have given a code: its state exists
// and its last digit is right. It does not know the list of municipalities.
func municipalityExists(code string) bool {
	if len(code) != 7 || !digits(code) || states[code[:2]] == "" {
		return false
	}
	sum := 0
	for i := range 6 {
		product := int(code[i]-'0') * (1 + i%2)
		sum += product/10 + product%10
	}
	return int(code[6]-'0') == (10-sum%10)%10 || slices.Contains(irregularMunicipalities, code)
}

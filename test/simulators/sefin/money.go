package sefin

import "strconv"

// money prints cents as a TSDec15V2.
func money(value int64) string { return strconv.FormatInt(value/100, 10) + "." + twoDigits(value%100) }

func twoDigits(value int64) string {
	if value < 10 {
		return "0" + strconv.FormatInt(value, 10)
	}
	return strconv.FormatInt(value, 10)
}

package main

import "fmt"

// cpf is the nth of some well-formed CPFs.
func cpf(n int) string {
	return withCheckDigits(fmt.Sprintf("5299822%02d", n), 11)
}

// cnpj is the nth of some well-formed CNPJs.
func cnpj(n int) string {
	return withCheckDigits(fmt.Sprintf("1122%04d0001", 2333+n), 9)
}

// withCheckDigits adds the two check digits: modulo 11, with weights from 2 up to
// a highest, from the right.
func withCheckDigits(digits string, highest int) string {
	for range 2 {
		sum := 0
		for i := range digits {
			sum += int(digits[len(digits)-1-i]-'0') * (2 + i%(highest-1))
		}
		digit := 11 - sum%11
		if digit > 9 {
			digit = 0
		}
		digits += fmt.Sprint(digit)
	}
	return digits
}

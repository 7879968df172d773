package main

import (
	"fmt"

	"emissor/test/generate"
)

// cpf is the nth of some well-formed CPFs.
func cpf(n int) string {
	return generate.WithCheckDigits(fmt.Sprintf("5299822%02d", n), 11)
}

// cnpj is the nth of some well-formed CNPJs.
func cnpj(n int) string {
	return generate.WithCheckDigits(fmt.Sprintf("1122%04d0001", 2333+n), 9)
}

package checkdigit

import "testing"

func TestCheckDigits(t *testing.T) {
	for _, cnpj := range []string{"11222333000181", "12ABC34501DE35"} {
		if !CNPJ(cnpj) {
			t.Errorf("CNPJ %s is refused", cnpj)
		}
	}
	for _, cnpj := range []string{
		"11222333000182", "11222333000171", "12ABC34501DE53", "00000000000000", "1122233300018", "12ABC34501DEAB",
	} {
		if CNPJ(cnpj) {
			t.Errorf("CNPJ %s passes", cnpj)
		}
	}
	for cpf, valid := range map[string]bool{
		"52998224725": true, "00000000191": true, "52998224752": false, "11111111111": false,
	} {
		if CPF(cpf) != valid {
			t.Errorf("CPF %s: %t", cpf, !valid)
		}
	}
}

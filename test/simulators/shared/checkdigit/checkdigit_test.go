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
	for cei, valid := range map[string]bool{
		"115830024985": true, "115830024986": false, "000000000000": false, "11583002498": false, "11583002498X": false,
	} {
		if CEI(cei) != valid {
			t.Errorf("CEI %s: %t", cei, !valid)
		}
	}
}

func TestStateOfCEP(t *testing.T) {
	for cep, state := range map[string]string{
		"01001000": "SP", "20040002": "RJ", "99999999": "RS", "00999999": "", "1001000": "",
	} {
		if found := StateOfCEP(cep); found != state {
			t.Errorf("%s lies in %q", cep, found)
		}
	}
	if cep := FirstCEP("AC"); StateOfCEP(cep) != "AC" {
		t.Errorf("%s is of another state", cep)
	}
}

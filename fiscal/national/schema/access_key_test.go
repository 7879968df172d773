package schema_test

import (
	"strings"
	"testing"

	"emissor/fiscal/national/schema"
)

func TestAccessKey(t *testing.T) {
	// The official description of the alphanumeric CNPJ, whose digits are
	// computed in the same way, gives 12ABC34501DE the digits 35.
	first, second := schema.CheckDigit("12ABC34501DE"), schema.CheckDigit("12ABC34501DE3")
	if first != '3' || second != '5' {
		t.Errorf("check digits %c%c of 12ABC34501DE", first, second)
	}
	// 100 times 9 is 900, 900 - 81*11 = 9, 11 - 9 = 2; a rest of 0 or 1 gives 0.
	for body, want := range map[string]byte{"2": '7', "0": '0', "6": '0', "10000000": '2', "100000000": '9'} {
		if got := schema.CheckDigit(body); got != want {
			t.Errorf("check digit of %s: %c, want %c", body, got, want)
		}
	}
	const good = "33045572211222333000181000000000001226111234567894"
	withLetter := "3304557" + "2" + "2" + "12ABC34501DE35" + "0000000000012" + "2611" + "123456789"
	withLetter += string(schema.CheckDigit(withLetter))
	person := "3304557" + "2" + "1" + "00052998224725" + "0000000000012" + "2611" + "123456789"
	person += string(schema.CheckDigit(person))
	for name, key := range map[string]string{"sample": good, "letters": withLetter, "CPF": person} {
		if !schema.ValidAccessKey(key) {
			t.Errorf("%s: %s is not valid", name, key)
		}
		for digit := byte('0'); digit <= '9'; digit++ {
			if other := key[:49] + string(digit); other != key && schema.ValidAccessKey(other) {
				t.Errorf("%s: %s is valid too", name, other)
			}
		}
	}
	for _, key := range []string{
		"", good[:49], good + "0", " " + good[1:], strings.Replace(good, "2211222333", "2311222333", 1),
		strings.ToLower(withLetter), "NFS" + good[3:],
	} {
		if schema.ValidAccessKey(key) {
			t.Errorf("%q is valid", key)
		}
	}
}

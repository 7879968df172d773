package sefin

import "testing"

func TestAccessKey_OfTheSampleIsValid(t *testing.T) {
	if !validKey("33045572211222333000181000000000001226111234567894") {
		t.Error("it is refused")
	}
}

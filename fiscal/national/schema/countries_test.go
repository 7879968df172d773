package schema_test

import (
	"testing"

	"emissor/fiscal/national/schema"
)

func TestForeignCountry(t *testing.T) {
	count := 0
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			if schema.ForeignCountry(string(first) + string(second)) {
				count++
			}
		}
	}
	if count != 248 { // ISO 3166-1 has 249 with Brazil
		t.Errorf("%d countries", count)
	}
	for code, want := range map[string]bool{"US": true, "PT": true, "BR": false, "us": false, "XX": false, "": false} {
		if schema.ForeignCountry(code) != want {
			t.Errorf("%q is a country abroad: %t", code, !want)
		}
	}
}

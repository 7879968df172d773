package authorities

import "testing"

func TestOfCity(t *testing.T) {
	for code, name := range map[string]string{"3550308": "sao-paulo", "3304557": "", "": ""} {
		if found, known := OfCity(code); found.Name != name || known != (name != "") {
			t.Errorf("the authority of %q is %q, %t", code, found.Name, known)
		}
	}
}

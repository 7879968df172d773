package rules

import "testing"

// Only the words for a cancelled note stand for one, not those for another note that is not active.
func TestCodeOf(t *testing.T) {
	for said, want := range map[string]string{
		"Nota fiscal não está ativa. Situação atual Cancelada":                              alreadyCancelled,
		"NOTA FISCAL NAO ESTA ATIVA - SITUACAO ATUAL: CANCELADA":                            alreadyCancelled,
		"Nota fiscal não está ativa. Situação atual Substituída, e não pode ser cancelada.": "",
		"Nota fiscal não está ativa. Situação atual Em análise para ser cancelada":          "",
	} {
		if got := CodeOf(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

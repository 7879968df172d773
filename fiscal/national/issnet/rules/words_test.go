package rules

import "testing"

// Words that settle something without another question are not taken from texts that only share them.
func TestCodeOf_Words(t *testing.T) {
	for said, want := range map[string]string{
		"A NFS-e já está cancelada":                                  NoteCancelled,
		"A NFS-e já se encontra cancelada.":                          NoteCancelled,
		"Nota já cancelada":                                          NoteCancelled,
		"Para que a nota seja cancelada, abra um processo no portal": noCode,
		"NFS-e já substituída não pode ser cancelada":                noCode,
		"Há um pedido já aberto para que seja cancelada":             noCode,

		"DPS não encontrada na base de dados":                        DPSNotFound,
		"A DPS informada não foi encontrada.":                        DPSNotFound,
		"DPS não localizada":                                         DPSNotFound,
		"Inscrição municipal do prestador da DPS não foi encontrada": noCode,
		"Série da DPS inválida: não encontrada para o contribuinte":  noCode,

		"DPS já existe": DPSExists,
		"Uma DPS já convertida em NFS-e não pode ser enviada": DPSExists,
	} {
		if got := CodeOf("", said); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

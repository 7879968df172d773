package rules

import (
	"testing"

	"emissor/fiscal"
)

// Words that settle something without another question are not taken from texts that only share them.
func TestWords(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"A NFS-e já está cancelada":                                 NoteCancelled,
		"Nota já foi cancelada.":                                    NoteCancelled,
		"NFS-e já substituída não pode ser cancelada":               noCode,
		"Há um pedido já aberto para que a nota seja cancelada":     noCode,
		"Para que a nota seja cancelada, abra um processo no setor": noCode,
	} {
		if got := CodeOf("", said); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
	if code := CodeOf("E172", "A NFS-e já está cancelada"); code != "E172" {
		t.Errorf("a code that is known counts before words: %s", code)
	}
	for status, want := range map[string]bool{
		"Cancelada": true, "NFS-e cancelada com sucesso.": true, "Não cancelada": false, "": false, "Rejeitado": false,
		"A ser cancelada": false, "Recebido com sucesso": false, "100": false,
	} {
		if SaysCancelled(status) != want {
			t.Errorf("the status %q: cancelled %t", status, !want)
		}
	}
}

// Every code and word of ours has its words in both languages; one that nobody has reported decides nothing.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for _, rule := range Catalogue.All() {
		if rule.Coverage.Kind == "" || rule.Portuguese.Explanation == "" {
			t.Errorf("%s: %+v", rule.Code, rule)
		}
	}
	if RepairOf("E172").AutoFix != fiscal.OtherSignature || !RepairOf("N13").Ours {
		t.Error("what is refused for its form is not repaired")
	}
	for code, want := range map[string]fiscal.Handling{
		"E172": fiscal.NeedsPerson, "N99": fiscal.Uncatalogued, "E92": fiscal.Uncatalogued, noCode: fiscal.Uncatalogued,
		"E0014": fiscal.AlreadyExists,
	} {
		if got := Handling(code, ""); got != want {
			t.Errorf("%s: %s", code, got)
		}
	}
	if !IsAlert("A001") || !IsAlert("L000") || IsAlert("E001") || IsAlert("N13") {
		t.Error("alerts and refusals are not told apart")
	}
}

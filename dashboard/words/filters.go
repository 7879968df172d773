package words

// filters are the words of the filters of notes that a person keeps.
var filters = table{
	"filters.title":   {"Filtros salvos", "Saved filters"},
	"filters.save":    {"Salvar este filtro", "Save this filter"},
	"filters.name":    {"Nome do filtro", "Name of the filter"},
	"filters.save.do": {"Salvar filtro", "Save filter"},
	"filters.manage":  {"Remover filtros salvos", "Remove saved filters"},
	"filters.remove":  {"Remover", "Remove"},
	"filters.saved":   {"Filtro salvo. Só você o vê.", "Filter saved. Only you see it."},
	"filters.removed": {"Filtro removido.", "Filter removed."},
	"filters.empty":   {"Nada foi salvo: a lista não tem filtro.", "Nothing was saved: the list has no filter."},
	"filters.name.wrong": {
		"Nada foi salvo: dê ao filtro um nome de até 60 caracteres.",
		"Nothing was saved: give the filter a name of up to 60 characters.",
	},
	"filters.many": {
		"Nada foi salvo: você já tem 20 filtros. Remova um antes.",
		"Nothing was saved: you have 20 filters already. Remove one first.",
	},
}

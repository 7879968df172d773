package fact

// What a person should look at, though the note goes on.
var (
	NumberUsedByAnother = define("number_used_by_another",
		"the number {number} of series {series} was used by another system; the next one is taken",
		"o número {number} da série {series} já foi usado por outro sistema; toma-se o próximo")
	NumberOfAnothersDocument = define("number_of_anothers_document",
		"the number {number} of series {series} belongs to a document of another system; the next one is taken",
		"o número {number} da série {series} é de um documento de outro sistema; toma-se o próximo")
	NumberInUseNotFound = define("number_in_use_not_found",
		"the authority says that the number {number} of series {series} is in use, and finds nothing under it",
		"a autoridade diz que o número {number} da série {series} está em uso, e nada encontra sob ele")
	DocumentNotSentFromHere = define("document_not_sent_from_here",
		"a document exists under the number {number} of series {series} that is this note's or cannot be compared, "+
			"and is not one that was sent from here",
		"existe sob o número {number} da série {series} um documento que é desta nota ou não pode ser comparado, e "+
			"que não foi enviado daqui")
	AnalysisPendingLong = define("analysis_pending_long",
		"the city has had the request of analysis for {days} days and has not answered: ask at the city hall",
		"o município tem o pedido de análise fiscal há {days} dias e não respondeu: procure a prefeitura")
	ReplacementUnconfirmed = define("replacement_unconfirmed",
		"the authority has shown no event of the replacement (e105102) for {days} days, although the other note was "+
			"issued: look at this note on its site",
		"a autoridade não mostra o evento da substituição (e105102) há {days} dias, embora a outra nota tenha sido "+
			"emitida: confira esta nota no site dela")
	TotalsUnread = define("totals_unread",
		"amounts of the authority's document cannot be read and are not shown: {elements}",
		"valores do documento da autoridade não podem ser lidos e não são mostrados: {elements}")
	TotalsDiffer = define("totals_differ",
		"the authority's document states {stated} as {member:total}, and {expected} was expected",
		"o documento da autoridade traz {stated} como {member:total}; esperava-se {expected}")
)

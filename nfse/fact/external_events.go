package fact

// The names of events at the authority.
var (
	ExternalCancelled               = define("external_cancelled", "cancelled", "cancelada")
	ExternalCancelledBySubstitution = define("external_cancelled_by_substitution",
		"cancelled by substitution",
		"cancelada por substituição")
	ExternalAnalysisRequested = define("external_analysis_requested",
		"analysis for a cancellation requested",
		"análise fiscal para cancelamento pedida")
	ExternalCancelledAfterAnalysis = define("external_cancelled_after_analysis",
		"cancelled after an analysis",
		"cancelada por análise fiscal")
	ExternalDeniedAfterAnalysis = define("external_denied_after_analysis",
		"cancellation denied after an analysis",
		"cancelamento indeferido por análise fiscal")
	ExternalCancelledByCity = define("external_cancelled_by_city",
		"cancelled by the city",
		"cancelada de ofício pelo município")
	ExternalBlocked   = define("external_blocked", "blocked by the city", "bloqueada pelo município")
	ExternalUnblocked = define("external_unblocked",
		"block lifted by the city",
		"bloqueio retirado pelo município")
	ExternalConfirmedByProvider = define("external_confirmed_by_provider",
		"confirmed by the provider",
		"confirmada pelo prestador")
	ExternalConfirmedByTaker = define("external_confirmed_by_taker",
		"confirmed by the taker",
		"confirmada pelo tomador")
	ExternalConfirmedByIntermediary = define("external_confirmed_by_intermediary",
		"confirmed by the intermediary",
		"confirmada pelo intermediário")
	ExternalConfirmedTacitly   = define("external_confirmed_tacitly", "confirmed tacitly", "confirmada tacitamente")
	ExternalRejectedByProvider = define("external_rejected_by_provider",
		"rejected by the provider",
		"rejeitada pelo prestador")
	ExternalRejectedByTaker = define("external_rejected_by_taker",
		"rejected by the taker",
		"rejeitada pelo tomador")
	ExternalRejectedByIntermediary = define("external_rejected_by_intermediary",
		"rejected by the intermediary",
		"rejeitada pelo intermediário")
	ExternalRejectionAnnulled = define("external_rejection_annulled", "rejection annulled", "rejeição anulada")
	ExternalInCollection      = define("external_in_collection",
		"included in a collection document",
		"incluída em guia de recolhimento")
	ExternalTaxesCollected = define("external_taxes_collected", "taxes collected", "tributos recolhidos")

	// ExternalFoundCancelled was not distributed: it was found by asking the authority.
	ExternalFoundCancelled = define("external_found_cancelled",
		"cancelled at the authority, found by asking",
		"cancelada na autoridade, como mostrou uma consulta")
	// ExternalOther is an event of a type that this version does not know.
	ExternalOther = define("external_other", "event {type} {label}", "evento {type} {label}")
	// ExternalEntry is a distributed entry without a label.
	ExternalEntry = define("external_entry", "entry", "registro")
)

// What an event does to the note.
var (
	EffectNone           = define("effect_none", "on record", "registrado")
	EffectToCome         = define("effect_to_come", "to be applied", "a aplicar")
	EffectCancels        = define("effect_cancels", "the note is cancelled", "a nota foi cancelada")
	EffectCancelsAsAsked = define("effect_cancels_as_asked",
		"the note is cancelled, as it was asked for here",
		"a nota foi cancelada, como se pediu aqui")
	EffectConfirmsReplacement = define("effect_confirms_replacement",
		"confirms that the note {note} has replaced this one",
		"confirma que a nota {note} substituiu esta")
	EffectDeniesCancellation = define("effect_denies_cancellation",
		"the city denies the cancellation: the note stays issued",
		"o município indeferiu o cancelamento: a nota continua emitida")
	EffectTooLate = define("effect_too_late",
		"no effect: the note is {status:status} already",
		"sem efeito: a nota já estava {status:status}")
	EffectBlocksCancellation = define("effect_blocks_cancellation",
		"no cancellation by the issuer is taken until this is lifted",
		"nenhum cancelamento pelo emitente é aceito até isto ser retirado")
	EffectUnblocksCancellation = define("effect_unblocks_cancellation",
		"blocks before it are lifted",
		"os bloqueios anteriores foram retirados")
)

// What is wrong with something that was distributed.
var (
	ExternalUnread = define("external_unread",
		"what the ADN distributed cannot be read: it {why}",
		"o que o ADN distribuiu não pode ser lido: {why}")
	ExternalOfOtherEnvironment = define("external_of_other_environment",
		"the event is of the other environment (tpAmb)",
		"o evento é do outro ambiente (tpAmb)")
	ExternalSignatureFails = define("external_signature_fails",
		"the signature makes this program fail",
		"a assinatura faz este programa falhar")
	ExternalNotStored = define("external_not_stored",
		"what was distributed cannot be stored: {why}",
		"o que foi distribuído não pode ser guardado: {why}")
	ExternalNotApplied = define("external_not_applied",
		"an event outside ({title}) is not applied: {why}",
		"um evento de fora ({title}) não foi aplicado: {why}")
	ExternalDocumentNotOnRecord = define("external_document_not_on_record",
		"a document of this note exists at the authority that is not on record: number {number} of series {series}, "+
			"access key {access_key}",
		"existe na autoridade um documento desta nota que não está registrado aqui: número {number} da série "+
			"{series}, chave de acesso {access_key}")
)

// Why what was distributed cannot be read.
var (
	UnreadTwoEvents = define("unread_two_events", "is about not one event", "não trata de um só evento")
	UnreadAmbiguous = define("unread_ambiguous", "could be read in two ways", "pode ser lido de duas maneiras")
	UnreadSequence  = define("unread_sequence",
		"has a sequence (nSeqEvento) that is no number from 1 to 999",
		"tem uma sequência (nSeqEvento) que não é um número de 1 a 999")
	UnreadMoment = define("unread_moment",
		"has a moment (dhProc, dhEvento) that is no date",
		"tem um momento (dhProc, dhEvento) que não é uma data")
	UnreadAccessKey = define("unread_access_key",
		"names no access key (chNFSe)",
		"não cita uma chave de acesso (chNFSe)")
	UnreadID    = define("unread_id", "is named as another one (Id)", "tem o nome de outro (Id)")
	UnreadFails = define("unread_fails", "makes this program fail", "faz este programa falhar")
)

// Why what was distributed cannot be stored.
var (
	RefusedByDatabase = define("refused_by_database",
		"the database refuses it ({code})",
		"o banco de dados o recusa ({code})")
	RefusedByProgram   = define("refused_by_program", "this program fails over it", "este programa falha ao tratá-lo")
	RefusedByAccessKey = define("refused_by_access_key",
		"its access key is no text",
		"a chave de acesso não é um texto")
)

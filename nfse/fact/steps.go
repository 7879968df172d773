package fact

// The steps of a note. Pages have their own name for a step, and show what follows | below it.
var (
	NoteAccepted   = define("note_accepted", "accepted (queued)", "aceita, na fila")
	NoteProcessing = define("note_processing", "processing", "em processamento")
	NoteIssued     = define("note_issued", "issued", "emitida")
	NoteRejected   = define("note_rejected",
		"rejected by |{source:rejecting}: {code}",
		"rejeitada |{source:rejecting}: {code}")
	NoteCancelled = define("note_cancelled", "cancelled", "cancelada")

	CancellationRequested = define("cancellation_requested",
		"cancellation requested, |reason {reason}",
		"cancelamento pedido, |motivo {reason}")
	CancellationRefused = define("cancellation_refused",
		"cancellation refused: |{code}",
		"cancelamento recusado: |{code}")
	// AnalysisRequested is of a person, AnalysisRequestedAtOnce of the company's setting.
	AnalysisRequested = define("analysis_requested",
		"analysis by the city requested",
		"análise fiscal do município pedida")
	AnalysisRequestedAtOnce = define("analysis_requested_at_once",
		"analysis by the city requested |at once, as the company has set it",
		"análise fiscal do município pedida |de imediato, como a empresa escolheu")
	AnalysisPending = define("analysis_pending",
		"the city has the request of analysis",
		"o município recebeu o pedido de análise fiscal")
	// Replaces is a step of the note that replaces another, the others of the note that is replaced.
	Replaces = define("replaces",
		"is to replace the note |{note}, reason {reason}",
		"deve substituir a nota |{note}, motivo {reason}")
	ReplacementRequested = define("replacement_requested",
		"replacement requested: |the note {note}, reason {reason}",
		"substituição pedida: |a nota {note}, motivo {reason}")
	Replaced    = define("replaced", "replaced |by the note {note}", "substituída |pela nota {note}")
	NotReplaced = define("not_replaced",
		"not replaced: |the note {note} is {status:status}, and this one stays as it is",
		"não substituída: |a nota {note} está {status:status}, e esta fica como está")

	CancellationNotNeeded = define("cancellation_not_needed",
		"cancellation not needed",
		"cancelamento desnecessário")

	Waits        = define("waits", "waits: |{why}", "aguarda: |{why}")
	WaitsNoMore  = define("waits_no_more", "waits no longer", "não aguarda mais")
	StartedAgain = define("started_again", "started again", "retomada")
	// Alarm is what a person should look at.
	Alarm = define("alarm", "ALARM: {what}", "ALERTA: {what}")

	StartedAgainByOperator = define("started_again_by_operator",
		"started again |by an operator",
		"retomada |por um operador")
	CompetenceChanged = define("competence_changed",
		"competence |{before} changed to {after}",
		"competência |{before} mudada para {after}")
	RefusalMended = define("refusal_mended",
		"mended after the refusal |{code}: {mend:mend}; signed anew under the same number",
		"corrigida após a recusa |{code}: {mend:mend}; assinada de novo com o mesmo número")
	SettingsTaken = define("settings_taken",
		"takes the present settings after the refusal |{code}",
		"usa a configuração atual após a recusa |{code}")
	ClassificationTaken = define("classification_taken",
		"takes the classification that its service was given since: cNBS {nbs}, cIndOp {c_ind_op}, "+
			"cClassTrib {c_class_trib}",
		"usa a classificação que o serviço recebeu depois: cNBS {nbs}, cIndOp {c_ind_op}, cClassTrib {c_class_trib}")
)

// The steps of a note's numbers, messages and calls to the authority.
var (
	NumberTaken = define("number_taken",
		"took the number |{number} of series {series} ({authority}, {environment:environment})",
		"tomou o |nº {number}, série {series} ({authority}, {environment:environment})")
	// NumberEnded is what became of a number.
	NumberEnded = define("number_ended",
		"the number |{number} of series {series} {state:number}",
		"o número |{number} da série {series} {state:number}")
	MessageSigned = define("message_signed",
		"signed |{message} with {certificate}",
		"assinado: |{message}, com o certificado {certificate}")

	AuthorityCalled = define("authority_called",
		"authority: |{operation:call}: {outcome:outcome} ({duration_ms} ms)",
		"autoridade: |{operation:call}: {outcome:outcome} ({duration_ms} ms)")
	// AuthorityCalledInVain is a call with the reason for its outcome.
	AuthorityCalledInVain = define("authority_called_in_vain",
		"authority: |{operation:call}: {outcome:outcome}, {why} ({duration_ms} ms)",
		"autoridade: |{operation:call}: {outcome:outcome}, {why} ({duration_ms} ms)")
	AuthorityCallCutOff = define("authority_call_cut_off",
		"authority: |{operation:call}, cut off",
		"autoridade: |{operation:call}, interrompida")
)

// The steps of informing others: subscribers, the customer, the ledger.
var (
	EventMade = define("event_made", "event |{event} {type}", "evento |{event} {type}")

	DeliveryAttempted = define("delivery_attempted",
		"delivery |{delivery}, attempt of {duration_ms} ms: delivered",
		"entrega |{delivery}, tentativa de {duration_ms} ms: entregue")
	DeliveryAttemptedInVain = define("delivery_attempted_in_vain",
		"delivery |{delivery}, attempt of {duration_ms} ms: {why}",
		"entrega |{delivery}, tentativa de {duration_ms} ms: {why}")
	DeliverySentAgain = define("delivery_sent_again",
		"delivery |{delivery} sent again",
		"entrega |{delivery} reenviada")
	DeliveryFailed = define("delivery_failed",
		"delivery |{delivery} failed: {why}",
		"entrega |{delivery} falhou: {why}")
	DeliverySkipped = define("delivery_skipped",
		"delivery |{delivery} skipped: {why}",
		"entrega |{delivery} não enviada: {why}")

	EmailMade      = define("email_made", "e-mail |{email} to the customer", "e-mail |{email} ao tomador")
	EmailSentAgain = define("email_sent_again",
		"e-mail |{email} sent again",
		"e-mail |{email} reenviado")
	EmailSent    = define("email_sent", "e-mail |{email} sent", "e-mail |{email} enviado")
	EmailFailed  = define("email_failed", "e-mail |{email} failed: {why}", "e-mail |{email} falhou: {why}")
	EmailSkipped = define("email_skipped", "e-mail |{email} not sent: {why}", "e-mail |{email} não enviado: {why}")

	LedgerEntered = define("ledger_entered", "ledger: |{kind:ledger}", "lançamento: |{kind:ledger}")
)

// The steps of what was found outside.
var (
	ExternalHappened = define("external_happened",
		"outside, |at {at}: {title} (event {type}, {event}): {effect}",
		"evento externo: |{title} ({type}, nº {event}), em {at}: {effect}")
	ExternalDocumentFound = define("external_document_found",
		"outside: |document {access_key}, number {number} of series {series}, linked by its {proof:proof}",
		"documento externo: |documento {access_key}, número {number} da série {series}, ligado pelo {proof:proof}")
)

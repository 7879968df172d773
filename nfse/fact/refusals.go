package fact

// Why a note is refused before it is sent, by the rules of an authority.
var (
	ProfileRefused = define("profile_refused",
		"The organization's fiscal profile cannot be issued with: {field} {why}.",
		"Não se pode emitir com o perfil fiscal da empresa: {field} {why}.")
	ClassificationRefused = define("classification_refused",
		"The classification of the service cannot be sent: {field} {why}.",
		"A classificação do serviço não pode ser enviada: {field} {why}.")

	AmountOutOfRange = define("amount_out_of_range",
		"The amount is out of range.",
		"O valor está fora da faixa.")
	TextNotPrintable = define("text_not_printable",
		"{field} has no character that a fiscal document can carry.",
		"{field} não tem nenhum caractere que um documento fiscal aceite.")
	TextTooLong = define("text_too_long",
		"{field} has {characters} characters, and a fiscal document carries at most {most}.",
		"{field} tem {characters} caracteres, e um documento fiscal aceita no máximo {most}.")

	NationalTaxCodeMissing = define("national_tax_code_missing",
		"The service has no national tax code.",
		"O serviço não tem código de tributação nacional.")
	NationalTaxCodeUnknown = define("national_tax_code_unknown",
		"The national tax code {tax_code} is not on the national list of services.",
		"O código de tributação nacional {tax_code} não está na lista nacional de serviços.")
	PlaceInvalid = define("place_invalid",
		"The place of the service is not a 7-digit municipality code.",
		"O local da prestação não é um código de município de 7 dígitos.")

	WithheldFromMEI = define("withheld_from_mei",
		"ISS is to be withheld, but the organization is an MEI.",
		"O ISS seria retido, mas a empresa é MEI.")
	WithheldUnderSpecialRegime = define("withheld_under_special_regime",
		"ISS is to be withheld, but the organization has a special regime.",
		"O ISS seria retido, mas a empresa tem regime especial.")
	WithheldOfRoadConcession = define("withheld_of_road_concession",
		"ISS is to be withheld, but the service is a road concession.",
		"O ISS seria retido, mas o serviço é concessão rodoviária.")

	RateMissing = define("rate_missing",
		"The ISS rate must be sent here, and the service has none.",
		"A alíquota de ISS deve ser enviada aqui, e o serviço não a tem.")
	RateTooHigh = define("rate_too_high",
		"The ISS rate of {rate} percent is above 5.",
		"A alíquota de ISS de {rate}% passa de 5%.")
	RateZero = define("rate_zero",
		"The ISS rate must be above 0 here.",
		"A alíquota de ISS deve ser maior que 0 aqui.")
	RateTooLowToWithhold = define("rate_too_low_to_withhold",
		"The ISS rate of {rate} percent is under 1.80, the least that can be withheld.",
		"A alíquota de ISS de {rate}% é menor que 1,80%, o mínimo que se pode reter.")

	CustomerCNPJInvalid = define("customer_cnpj_invalid",
		"The customer's CNPJ is not valid.",
		"O CNPJ do tomador não é válido.")
	CustomerCPFInvalid = define("customer_cpf_invalid",
		"The customer's CPF is not valid.",
		"O CPF do tomador não é válido.")
	CustomerIsIssuer = define("customer_is_issuer",
		"The customer is the issuing organization itself.",
		"O tomador é a própria empresa emitente.")
	CustomerMunicipalityInvalid = define("customer_municipality_invalid",
		"The customer's municipality is not a 7-digit code.",
		"O município do tomador não é um código de 7 dígitos.")
	CustomerZipCodeInvalid = define("customer_zip_code_invalid",
		"The customer's zip code does not have 8 digits.",
		"O CEP do tomador não tem 8 dígitos.")
	AddressLacksToWithhold = define("address_lacks_to_withhold",
		"The customer withholds the ISS, and the address lacks {field}.",
		"O tomador retém o ISS, e falta no endereço: {field}.")
	AddressLacksForISS = define("address_lacks_for_iss",
		"The ISS is due to the customer's city, and the address lacks {field}.",
		"O ISS é devido ao município do tomador, e falta no endereço: {field}.")
	AddressLacksForOperation = define("address_lacks_for_operation",
		"The operation takes place at the customer's (cIndOp {indicator}), and the address lacks {field}.",
		"A operação ocorre no local do tomador (cIndOp {indicator}), e falta no endereço: {field}.")
)

// Why a note is held by the rules of the national system, until a person has given or
// settled something. A fact about a city has its code as the argument municipality: by
// that the notes that it holds are found.
var (
	CompetenceNotBegun = define("competence_not_begun",
		"E0015: the day of competence, {day}, has not begun by this machine's clock, which says {today}: check the "+
			"clocks of the machine and of the database",
		"E0015: o dia da competência, {day}, ainda não começou pelo relógio desta máquina, que diz {today}: confira "+
			"os relógios da máquina e do banco de dados")
	ClassificationRequired = define("classification_required",
		"the authority requires IBS and CBS of notes from {from} on, and the service {service} has no "+
			"classification: give it one with emissor service classify",
		"a autoridade exige IBS e CBS nas notas desde {from}, e o serviço {service} não tem classificação: "+
			"classifique-o em Serviços")
	ClassificationTablesUnread = define("classification_tables_unread",
		"the classification tables could not be read: {why}",
		"as tabelas de classificação não puderam ser lidas: {why}")

	CityRefuses = define("city_refuses",
		"{rule}: by its parameters ({parameter}) the issuer's city, {municipality}, {why}. The note goes on by itself "+
			"when they change. {if_wrong}",
		"{rule}: pelos parâmetros ({parameter}), o município do emitente, {municipality}, {why}. A nota continua "+
			"sozinha quando eles mudarem. {if_wrong}")
	CityHasNoAgreement = define("city_has_no_agreement",
		"has no active agreement with the national system",
		"não tem convênio ativo com o sistema nacional")
	CityHasOwnSystem = define("city_has_own_system",
		"issues on a system of its own",
		"emite em sistema próprio")
	CityLetsNobodyIssue = define("city_lets_nobody_issue",
		"lets no company outside Simples Nacional issue on the national system",
		"não deixa empresas fora do Simples Nacional emitirem no sistema nacional")
	AgreementNotActive = define("agreement_not_active", "convênio not active", "convênio não ativo")

	CityNeedsRate = define("city_needs_rate",
		"{rule}: by its parameters the city that the ISS is due to, {municipality}, has no active agreement with the "+
			"national system, so that the ISS rate must be sent, and the note's service has none. Cancel the note, "+
			"give the service its iss_rate and issue again. {if_wrong}",
		"{rule}: pelos parâmetros, o município de incidência do ISS, {municipality}, não tem convênio ativo com o "+
			"sistema nacional; por isso a alíquota de ISS deve ser enviada, e o serviço da nota não a tem. Cancele a "+
			"nota, informe a alíquota do serviço em Serviços e emita de novo. {if_wrong}")
	CityParametersWrong = define("city_parameters_wrong",
		"If the parameters are wrong: emissor municipality show {municipality} says what is known since when, emissor "+
			"municipality refresh {municipality} --environment {environment} has them fetched again, and emissor "+
			"fiscal-profile set --ignore-municipal-parameters goes on without them.",
		"Se os parâmetros estiverem errados: `emissor municipality show {municipality}` diz o que se sabe desde "+
			"quando, `emissor municipality refresh {municipality} --environment {environment}` os busca de novo, e "+
			"Empresa › Perfil fiscal permite seguir sem eles.")
)

// What the service itself rejects or refuses, not by a rule of an authority: why, what that
// means, and what a person does about it.
var (
	MunicipalityConflict = define("municipality_conflict",
		"the zip code of the customer belongs to another municipality than the one declared",
		"o CEP do tomador é de outro município que não o declarado")
	MunicipalityConflictExplained = define("municipality_conflict_explained",
		"The look-up of the zip code was out when the note was accepted. Made afterwards, it named another "+
			"municipality, so nothing was sent to the authority.",
		"A consulta do CEP estava fora do ar quando a nota foi aceita. Feita depois, indicou outro município; por "+
			"isso nada foi enviado à autoridade.")
	MunicipalityConflictAction = define("municipality_conflict_action",
		"Correct the zip code or the municipality code of the customer, then issue again with a new reference.",
		"Corrija o CEP ou o código do município do tomador; depois, emita de novo com outra referência.")

	CancellationNotOffered = define("cancellation_not_offered",
		"the authority takes no cancellations from programs",
		"a autoridade não aceita cancelamentos de programas")
	CancellationNotOfferedExplained = define("cancellation_not_offered_explained",
		"The authority that issued the note has no way for a program to cancel it, so it was not asked.",
		"A autoridade que emitiu a nota não tem como um programa cancelá-la; por isso não foi consultada.")
	CancellationNotOfferedAction = define("cancellation_not_offered_action",
		"Cancel the note on the authority's own site; of a city, in its portal of the NFS-e.",
		"Cancele a nota no site da própria autoridade; a de um município, no portal da NFS-e dele.")

	NoteBlocked = define("note_blocked",
		"the note is blocked by the city",
		"a nota está bloqueada pelo município")
	NoteBlockedBecause = define("note_blocked_because", // in the city's words
		"the note is blocked by the city: {words}",
		"a nota está bloqueada pelo município: {words}")
	NoteBlockedExplained = define("note_blocked_explained",
		"The city has blocked the cancellation of this note at the national system (event 305102), so the authority "+
			"was not asked.",
		"O município bloqueou o cancelamento desta nota no sistema nacional (evento 305102); por isso a autoridade "+
			"não foi consultada.")
	NoteBlockedAction = define("note_blocked_action",
		"Ask the city to lift the block; then cancel again.",
		"Peça ao município que retire o bloqueio; depois, cancele de novo.")

	AnalysisDenied = define("analysis_denied",
		"the city has denied the cancellation after an analysis",
		"o município indeferiu o cancelamento por análise fiscal")
	AnalysisDeniedBecause = define("analysis_denied_because", // in the city's words
		"the city has denied the cancellation after an analysis: {words}",
		"o município indeferiu o cancelamento por análise fiscal: {words}")
	AnalysisDeniedExplained = define("analysis_denied_explained",
		"A note has one analysis only, and the city has denied this one (event 105105). The national system takes no "+
			"other request to cancel the note.",
		"Uma nota tem uma só análise fiscal, e o município indeferiu esta (evento 105105). O sistema nacional não "+
			"recebe outro pedido de cancelamento da nota.")
	AnalysisDeniedAction = define("analysis_denied_action",
		"The note stays issued. Only the city can still cancel it, by office: ask at the city hall, by an "+
			"administrative procedure.",
		"A nota continua emitida. Só o município ainda pode cancelá-la, de ofício: peça à prefeitura, por processo "+
			"administrativo.")
)

// How the explanation of a rejection ends that was not the authority's.
var (
	CheckedHere = define("checked_here",
		"Emissor checked this itself: nothing was sent to the authority.",
		"O próprio Emissor verificou isto: nada foi enviado à autoridade.")
	RejectionSimulated = define("rejection_simulated",
		"(Simulated: this note asked for a rejection.)",
		"(Simulado: esta nota pediu uma rejeição.)")
)

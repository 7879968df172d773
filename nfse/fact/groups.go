package fact

// Why a note is refused before it is sent, by what it has beyond the API. The rule that is named
// beside says what is wrong.
var (
	DetailRefused = define("detail_refused",
		"The layout of the authority cannot carry as it is given: {field:detail}.",
		"O leiaute da autoridade não aceita como foi informado: {field:detail}.")
	ReplacementRefused = define("replacement_refused",
		"The note cannot replace the other one as it is.",
		"A nota não pode substituir a outra como está.")
	ReplacementChanges = define("replacement_changes",
		"The note that replaces another one may not change its {field:detail}.",
		"A nota que substitui outra não pode mudar este dado dela: {field:detail}.")
	ForeignTakerRefused = define("foreign_taker_refused",
		"The customer abroad cannot be sent as it is.",
		"O tomador no exterior não pode ser enviado como está.")
	WithheldByForeignTaker = define("withheld_by_foreign_taker",
		"ISS is to be withheld, but the customer is abroad.",
		"O ISS seria retido, mas o tomador está no exterior.")
	IntermediaryRefused = define("intermediary_refused",
		"The intermediary cannot be sent as it is.",
		"O intermediário não pode ser enviado como está.")
	SupplierRefused = define("supplier_refused",
		"The supplier of a document that is deducted cannot be sent as it is.",
		"O fornecedor de um documento deduzido não pode ser enviado como está.")
	WorkRefused = define("work_refused",
		"The construction work cannot be sent with this service.",
		"A obra não pode ser enviada com este serviço.")
	EventRefused = define("event_refused",
		"The event cannot be sent with this service.",
		"O evento não pode ser enviado com este serviço.")
	ForeignTradeRefused = define("foreign_trade_refused",
		"What the service has to do with another country cannot be sent as it is.",
		"O que o serviço tem com outro país não pode ser enviado como está.")
	DiscountRefused = define("discount_refused",
		"The discount must be above zero and below the price.",
		"O desconto deve ser maior que zero e menor que o valor do serviço.")
	DeductionRefused = define("deduction_refused",
		"The deduction cannot be sent with this note.",
		"A dedução não pode ser enviada com esta nota.")
	PercentBesideReduction = define("percent_beside_reduction",
		"A reduction in percent cannot go beside another one: the authority's rules compute it in two ways. State it "+
			"as an amount.",
		"Uma redução em percentual não pode ir com outra: as regras da autoridade a calculam de dois modos. Informe-a "+
			"em valor.")
	ReducedTooFar = define("reduced_too_far",
		"Discounts, deductions, benefits and withheld taxes take too much from the price.",
		"Descontos, deduções, benefícios e retenções tiram demais do valor do serviço.")
	ISSTreatmentRefused = define("iss_treatment_refused",
		"How the ISS is due does not go with the rest of the note.",
		"O tratamento do ISS não combina com o resto da nota.")
	WithheldOfUntaxed = define("withheld_of_untaxed",
		"ISS is to be withheld, but none is due of this service.",
		"O ISS seria retido, mas não é devido neste serviço.")
	WithheldOfSuspended = define("withheld_of_suspended",
		"ISS is to be withheld, but it is suspended.",
		"O ISS seria retido, mas está com a exigibilidade suspensa.")
	BenefitRefused = define("benefit_refused",
		"The municipal benefit does not go with the rest of the note.",
		"O benefício municipal não combina com o resto da nota.")
	PropertyRefused = define("property_refused",
		"The property of the classification does not go with this service.",
		"O imóvel da classificação não combina com este serviço.")
)

// What a review says before a note is issued.
var WouldBeRefused = define("would_be_refused",
	"As far as is known, this note would be refused: {why} ({code})",
	"Pelo que se sabe, esta nota seria recusada: {why} ({code})")

// What a note waits for that a person can set for its service or its customer.
var (
	WorkMissing = define("work_missing",
		"E0370: services of the national tax code {tax_code} need the construction work that they are for: name one "+
			"for the customer or the service",
		"E0370: serviços do código {tax_code} precisam da obra a que se destinam: indique uma para o tomador ou o "+
			"serviço")
	EventMissing = define("event_missing",
		"E0390: services of the national tax code {tax_code} need the event that they are for: name one for the "+
			"service",
		"E0390: serviços do código {tax_code} precisam do evento a que se destinam: indique um para o serviço")
	WorkClosed = define("work_closed",
		"the construction work {work}, which is set for the customer or the service, is closed: set another one",
		"a obra {work}, indicada para o tomador ou o serviço, está encerrada: indique outra")
	EventClosed = define("event_closed",
		"the event {event}, which is set for the service, is closed: set another one",
		"o evento {event}, indicado no serviço, está encerrado: indique outro")
	WorkLacks = define("work_lacks",
		"the construction work of the note lacks {field:detail}",
		"falta na obra da nota: {field:detail}")
	EventLacks = define("event_lacks",
		"the event of the note lacks {field:detail}",
		"falta no evento da nota: {field:detail}")
	NBSMissing = define("nbs_missing",
		"E0318: a service that has to do with another country needs an NBS code, and the service {service} has no "+
			"classification: give it one with emissor service classify",
		"E0318: um serviço ligado a outro país precisa de código NBS, e o serviço {service} não tem classificação: "+
			"classifique-o em Serviços")
	ForeignTradeLacks = define("foreign_trade_lacks",
		"{rule}: a service that has to do with another country must say {field:detail}",
		"{rule}: um serviço ligado a outro país precisa informar: {field:detail}")
	ISSTreatmentLacks = define("iss_treatment_lacks",
		"{rule}: how the ISS is due is not wholly stated: {field:detail} is missing",
		"{rule}: o tratamento do ISS está incompleto: falta {field:detail}")
	BenefitOfInactiveCity = define("benefit_of_inactive_city",
		"E0537: by its parameters the city that the ISS is due to, {municipality}, has no active agreement with the "+
			"national system, where it could grant a benefit. {if_wrong}",
		"E0537: pelos parâmetros, o município de incidência do ISS, {municipality}, não tem convênio ativo com o "+
			"sistema nacional, no qual poderia conceder benefício. {if_wrong}")
)

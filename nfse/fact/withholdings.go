package fact

// What is wrong with what is withheld of a note.
var (
	WithheldTakesPrice = define("withheld_takes_price",
		"What is withheld of one federal tax is not below the price.",
		"O que se retém de um tributo federal não é menor que o valor do serviço.")
	MoreTakenThanPrice = define("more_taken_than_price",
		"Discounts, deductions and withheld taxes together exceed the price.",
		"Descontos, deduções e tributos retidos somados passam do valor do serviço.")
	SimplesRateMissing = define("simples_rate_missing",
		"{rule}: the ISS is withheld, and the company's effective ISS rate of {month} in Simples Nacional is not "+
			"given: give it with emissor fiscal-profile set --simples-rate {month}=RATE",
		"{rule}: o ISS é retido, e falta a alíquota efetiva de ISS da empresa no Simples Nacional em {month}: "+
			"informe-a em Empresa › Perfil fiscal")
)

// What is wrong with the taxes of a fiscal profile, said after the name of the field.
var (
	ContributionRateOutOfRange = define("contribution_rate_out_of_range",
		"must have rates from 0 to 99.99 percent",
		"deve ter alíquotas de 0 a 99,99%")
	ContributionsNotDeclared = define("contributions_not_declared",
		"must be none of an individual, of an MEI, and of an ME or EPP whose federal taxes are within Simples Nacional",
		"deve ser nenhum para pessoa física, MEI, e ME ou EPP com os tributos federais dentro do Simples Nacional")
	ContributionSituationUnknown = define("contribution_situation_unknown",
		"must have a tax situation (CST) of PIS and COFINS: 00 to 09, 49 to 56, 60 to 67, 70 to 75, 98 or 99",
		"deve ter uma situação tributária (CST) de PIS e COFINS: 00 a 09, 49 a 56, 60 a 67, 70 a 75, 98 ou 99")
	SimplesRateMonthUnknown = define("simples_rate_month_unknown",
		"must have months of this century, as 2026-11",
		"deve ter meses deste século, como 2026-11")
	SimplesRateOutOfRange = define("simples_rate_out_of_range",
		"must be from 1.80 to 5.00 percent",
		"deve ser de 1,80% a 5,00%")
	CityHasNoOwnContributions = define("city_has_no_own_contributions",
		"must be none: the city's layout has no PIS and COFINS of the issuer's own",
		"deve ser nenhum: o leiaute da Prefeitura não tem PIS e COFINS próprios do emitente")
)

// What is wrong with what a service or customer withholds, said after the name of the field.
var (
	WithheldTaxUnknown = define("withheld_tax_unknown",
		"must name irrf, pis, cofins, csll, inss, inss-base or csrf, which {tax} is not",
		"deve ter irrf, pis, cofins, csll, inss, inss-base ou csrf, e {tax} não é um deles")
	WithheldSumWithRate = define("withheld_sum_with_rate",
		"must have csrf without a rate, as it is pis, cofins and csll, each at the law's: other rates are given to these",
		"deve ter csrf sem alíquota, pois são pis, cofins e csll, cada um com a da lei: outras se dão a estes")
	WithheldRateUnread = define("withheld_rate_unread",
		"must have a percentage from 0 to 100 with at most two decimals for {tax}",
		"deve ter em {tax} um percentual de 0 a 100 com no máximo duas casas")
	WithheldRatesTooHigh = define("withheld_rates_too_high",
		"must be below 100 percent together",
		"deve somar menos de 100%")
	INSSBaseWithoutRate = define("inss_base_without_rate",
		"has a base of the INSS and no rate of it",
		"tem base do INSS e não tem alíquota dele")
	WithholdingRuleUnknown = define("withholding_rule_unknown",
		"must be by the service, never, or a set of its own",
		"deve ser conforme o serviço, nunca, ou um conjunto próprio")
	WithholdingRuleWithSet = define("withholding_rule_with_set",
		"is not by a set of its own, but has one",
		"não é por um conjunto próprio, mas tem um")
	WithholdingSetMissing = define("withholding_set_missing",
		"must be given where the customer has a set of its own",
		"deve ser informado quando o tomador tem um conjunto próprio")
)

// What a person should look at in what is withheld. None of it keeps a note from being issued.
var (
	WithheldOfNobody = define("withheld_of_nobody",
		"Nothing federal is withheld of an individual or an MEI: notes state none of it.",
		"Nada de tributo federal se retém de pessoa física ou de MEI: as notas nada informam disso.")
	WithheldOfSimples = define("withheld_of_simples",
		"IRRF, PIS, COFINS and CSLL are not withheld of a company whose federal taxes are within Simples Nacional: "+
			"notes state none of them.",
		"IRRF, PIS, COFINS e CSLL não se retêm de empresa com os tributos federais dentro do Simples Nacional: as "+
			"notas não os informam.")
	INSSOfSimples = define("inss_of_simples",
		"Of a company in Simples Nacional the INSS is withheld only of services of Annex IV.",
		"De empresa do Simples Nacional só se retém INSS de serviços do Anexo IV.")
	INSSOfAssignedLabour = define("inss_of_assigned_labour",
		"The INSS is withheld only of assigned labour and contracted works: not of full-contract works, and not of "+
			"freight.",
		"Só se retém INSS de cessão de mão de obra e empreitada: não de empreitada total, nem de transporte de carga.")
	ContributionsEnd = define("contributions_end",
		"PIS and COFINS end: of competence from {day} on neither is withheld or declared.",
		"PIS e COFINS acabam: em competências a partir de {day} não são retidos nem informados.")
	SimplesWithholdsNoCSRF = define("simples_withholds_no_csrf",
		"A customer in Simples Nacional withholds no PIS, COFINS and CSLL: notes state none of them.",
		"Tomador do Simples Nacional não retém PIS, COFINS e CSLL: as notas não os informam.")
	SimplesWithholdsAllTheSame = define("simples_withholds_all_the_same",
		"The customer is set as in Simples Nacional, which withholds no PIS, COFINS and CSLL: this note withholds them "+
			"all the same, as the form says.",
		"O tomador está marcado como do Simples Nacional, que não retém PIS, COFINS e CSLL: esta nota os retém mesmo "+
			"assim, como diz o formulário.")
	PersonWithholdsNothing = define("person_withholds_nothing",
		"An individual withholds nothing federal: notes state none of it.",
		"Pessoa física não retém tributo federal: as notas nada informam disso.")
)

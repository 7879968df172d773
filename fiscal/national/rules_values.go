package national

// rulesOfValues are about the price and its discounts.
var rulesOfValues = []rule{
	{"E0423", "", "An intermediary who issues must state the value received.", notOurs, issuerProvides},
	{"E0424", "", "The value received may only be stated by an intermediary who issues.", notOurs,
		cannot("The value received is never sent.", never("DPS/infDPS/valores/vServPrest/vReceb"))},
	{"E0425", "", "The value received is less than the price of the service.", notOurs,
		cannot("The value received is never sent.", never("DPS/infDPS/valores/vServPrest/vReceb"))},
	{"E0427", fieldAmount, "Discounts, deductions and benefits together exceed the price of the service.", notOurs,
		cannot("The price has nothing taken from it.", never("DPS/infDPS/valores/vDescCondIncond"), never("DPS/infDPS/valores/vDedRed"),
			never("DPS/infDPS/valores/trib/tribMun/BM"))},
	{"E0428", fieldAmount, "Discounts, deductions and withheld taxes together exceed the price of the service.", notOurs,
		cannot("Only ISS is ever withheld, at most 5 percent.", never("DPS/infDPS/valores/vDescCondIncond"), never("DPS/infDPS/valores/vDedRed"),
			never("DPS/infDPS/valores/trib/tribFed"))},
	{"E0429", "", "Reductions would bring the ISS under the legal minimum of 2 percent of the price.", notOurs,
		cannot("The base is never reduced.", never("DPS/infDPS/valores/vDedRed"), never("DPS/infDPS/valores/trib/tribMun/BM"))},
	{"E0431", "", "The unconditional discount must be above zero and below the price.", notOurs,
		cannot("No discount is sent.", never("DPS/infDPS/valores/vDescCondIncond"))},
	{"E0432", "", "The conditional discount must be above zero and below the price.", notOurs,
		cannot("No discount is sent.", never("DPS/infDPS/valores/vDescCondIncond"))},
}

// rulesOfDeductions are about reductions of the taxable base.
var rulesOfDeductions = []rule{
	{"E0435", "", "An immune, exported or untaxed service has no base to deduct from.", notOurs, noDeduction},
	{"E0436", "", "A microentrepreneur (MEI) cannot deduct from the taxable base.", notOurs, noDeduction},
	{"E0438", "", "A provider under a special regime cannot deduct from the taxable base.", notOurs, noDeduction},
	{"E0439", "", "A service exempt by municipal benefit has no base to deduct from.", notOurs, noDeduction},
	{"E0440", "", "The city where the ISS is due does not allow this kind of deduction for this service.", notOurs, noDeduction},
	{"E0441", "", "A company in Simples Nacional may not deduct for this service in the city where the ISS is due.", notOurs, noDeduction},
	{"E0442", "", "A company in Simples Nacional may only deduct for beauty, construction and repair services.", notOurs, noDeduction},
	{"E0453", "", "A deduction in percent must be above 0 and at most 100.", notOurs, noDeduction},
	{"E0454", "", "The city allows no deduction in percent for this service.", notOurs, noDeduction},
	{"E0444", "", "The deduction in percent would bring the ISS under 2 percent of the price.", notOurs, noDeduction},
	{"E0446", "", "The city allows no deduction by amount for this service.", notOurs, noDeduction},
	{"E0447", "", "The deduction by amount would bring the ISS under 2 percent of the price.", notOurs, noDeduction},
	{"E0449", "", "The city allows no deduction by documents for this service.", notOurs, noDeduction},
	{"E0455", "", "The key of an NFS-e that is to be deducted is invalid.", notOurs, noDeduction},
	{"E0456", "", "The NFS-e that is to be deducted does not exist in the national system.", notOurs, noDeduction},
	{"E0458", "", "The NFS-e that is to be deducted is cancelled.", notOurs, noDeduction},
	{"E0460", "", "The key of an NF-e that is to be deducted is invalid.", notOurs, noDeduction},
	{"E0462", "", "The NF-e that is to be deducted does not exist in the national system.", notOurs, noDeduction},
	{"E0464", "", "The NF-e that is to be deducted is cancelled.", notOurs, noDeduction},
	{"E0466", "", "The city of a municipal note that is to be deducted is not an IBGE municipality.", notOurs, noDeduction},
	{"E0468", "", "A deduction of another kind needs a description.", notOurs, noDeduction},
	{"E0470", "", "Only a deduction of another kind may have a description.", notOurs, noDeduction},
	{"E0472", "", "The document that is to be deducted is dated later than the competence of the note.", notOurs, noDeduction},
	{"E0474", "", "More is deducted than the document allows.", notOurs, noDeduction},
	{"E0476", "", "More is deducted than the service costs.", notOurs, noDeduction},
	{"E0477", "", "The supplier of the document that is to be deducted must be named.", notOurs, noDeduction},
}

// rulesOfSuppliers are about who issued a document that is to be deducted.
var rulesOfSuppliers = []rule{
	{"E0478", "", "The supplier's CNPJ has wrong check digits.", notOurs, noDeduction},
	{"E0482", "", "The supplier's CNPJ is not in the federal register.", notOurs, noDeduction},
	{"E0484", "", "The supplier's CPF has wrong check digits.", notOurs, noDeduction},
	{"E0488", "", "The supplier's CPF is not in the federal register.", notOurs, noDeduction},
	{"E1538", "", "A supplier with a foreign address needs a foreign tax number or the reason for having none.", notOurs, noDeduction},
	{"E0490", "", "The reason for the supplier's missing foreign tax number may not be left unstated.", notOurs, noDeduction},
	{"E0492", "", "A supplier with a CNPJ or CPF needs a Brazilian address.", notOurs, noDeduction},
	{"E0494", "", "The city in the supplier's address is not an IBGE municipality.", notOurs, noDeduction},
	{"E0496", "", "The supplier's zip code does not exist, or belongs to another city than the one stated.", notOurs, noDeduction},
	{"E0498", "", "A supplier with a foreign tax number needs a foreign address.", notOurs, noDeduction},
	{"E0499", "", "The country in the supplier's foreign address is unknown or is Brazil.", notOurs, noDeduction},
}

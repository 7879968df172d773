package national

// rulesOfISS are about whether and how the service is subject to ISS.
var rulesOfISS = []rule{
	{"E0529", "", "This service is taxable where it was rendered and cannot be declared as exported.", notOurs, alwaysTaxable},
	{"E0530", "", "By the places of service and customer this is an export, and it was declared as taxable.", issueElsewhere,
		cannot("Customer and place of service are always Brazilian.", never("DPS/infDPS/toma/end/endExt"), never("DPS/infDPS/serv/locPrest/cPaisPrestacao"))},
	{"E0532", fieldNationalCode, "National tax code 99.01.01 is for services outside ISS and ICMS, and Emissor only issues taxable services.",
		"If the service is taxable, correct its national tax code and issue again with a new reference; if it is not, issue through the national portal.",
		checks("Code 990101 is refused.")},
	{"E0539", "", "The city taxes this service, and it was declared as not subject to ISS.", notOurs, alwaysTaxable},
	{"E0540", fieldNationalCode, "The city where the ISS is due does not tax this service, and it was declared as taxable.",
		"If the national tax code is right, issue through the city's system or the national portal as not subject to ISS; if it is wrong, correct the service." + again, itsParameters},
	{"E0590", "", "This export must state the country where its result occurs.", notOurs, alwaysTaxable},
	{"E0591", "", "The country where the result occurs may only be stated of certain exports.", notOurs,
		cannot("The country of the result is never sent.", never("DPS/infDPS/valores/trib/tribMun/cPaisResult"))},
	{"E0592", "", "The kind of immunity goes with immune services, and only with them.", notOurs,
		cannot("The service is always declared taxable, without a kind of immunity.",
			only("DPS/infDPS/valores/trib/tribMun/tribISSQN", "1"), never("DPS/infDPS/valores/trib/tribMun/tpImunidade"))},
	{"E0593", "", "The kind of immunity may not be left unstated.", notOurs,
		cannot("The kind of immunity is never sent.", never("DPS/infDPS/valores/trib/tribMun/tpImunidade"))},
	{"E0585", "", "Only the ISS of a taxable service can be suspended by a court or by the administration.", notOurs,
		cannot("Suspension is never claimed.", never("DPS/infDPS/valores/trib/tribMun/exigSusp"))},
}

// rulesOfBenefits are about municipal benefits.
var rulesOfBenefits = []rule{
	{"E0533", "", "An immune, exported or untaxed service cannot have a municipal benefit.", notOurs, noBenefit},
	{"E0534", "", "A microentrepreneur (MEI) cannot have a municipal benefit.", notOurs, noBenefit},
	{"E0535", "", "A provider under a special regime cannot have a municipal benefit.", notOurs, noBenefit},
	{"E0537", "", "A city that is not active in the national system cannot grant a municipal benefit there.", notOurs, noBenefit},
	{"E0536", "", "A company that pays its ISS within Simples Nacional can have a municipal benefit for construction and repair only.", notOurs, noBenefit},
	{"E0541", "", "The municipal benefit does not exist in the city where the ISS is due.", notOurs, noBenefit},
	{"E0544", "", "The municipal benefit is not in force on the date of competence.", notOurs, noBenefit},
	{"E0548", "", "The municipal benefit is reserved to providers established in the city.", notOurs, noBenefit},
	{"E0550", "", "The municipal benefit does not cover this service or this provider.", notOurs, noBenefit},
	{"E0565", "", "The municipal benefit is not a reduction by amount.", notOurs, noBenefit},
	{"E0567", "", "The municipal benefit is a reduction by amount, and the amount is missing.", notOurs, noBenefit},
	{"E0574", "", "The municipal benefit reduces by more than the service costs.", notOurs, noBenefit},
	{"E0575", "", "The municipal benefit by amount would bring the ISS under 2 percent of the price.", notOurs, noBenefit},
	{"E0577", "", "The municipal benefit is not a reduction in percent.", notOurs, noBenefit},
	{"E0579", "", "The municipal benefit is a reduction in percent, and the percentage is missing.", notOurs, noBenefit},
	{"E0586", "", "The reduction in percent is not above 0 and within what the city set for the benefit.", notOurs, noBenefit},
	{"E0587", "", "The municipal benefit in percent would bring the ISS under 2 percent of the price.", notOurs, noBenefit},
}

// rulesOfWithholding are about ISS withheld at the source.
var rulesOfWithholding = []rule{
	{"E0580", fieldWithheld, "The ISS of an immune, exported or untaxed service cannot be withheld.", removeWithholding, alwaysTaxable},
	{"E0583", fieldWithheld, "The ISS of a microentrepreneur (MEI) cannot be withheld: it is part of its monthly payment.", removeWithholding,
		checks("No withholding for an MEI.")},
	{"E0588", fieldWithheld, "The ISS of a provider under a special regime cannot be withheld.", removeWithholding, checks("No withholding under a special regime.")},
	{"E0594", fieldWithheld, "The ISS of a service that a municipal benefit exempts cannot be withheld.", removeWithholding, noBenefit},
	{"E0596", fieldWithheld, "The ISS of road concessions, code 22.01.01, cannot be withheld.", removeWithholding, checks("No withholding of code 220101.")},
	{"E0650", fieldWithheld, "A customer who imports a service must withhold its ISS.", notOurs, issuerProvides},
	{"E0652", fieldWithheld, "An intermediary who imports a service must withhold its ISS.", notOurs, issuerProvides},
	{"E0667", fieldWithheld, "The city where the ISS is due does not let this person, identified by a CPF, withhold it.", removeWithholding, itsParameters},
	{"E0670", fieldWithheld, "The city where the ISS is due does not let the intermediary's CPF withhold it.", notOurs, noIntermediary},
	{"E0672", fieldWithheld, "A customer who issues from another city may not withhold the ISS.", notOurs, issuerProvides},
	{"E0673", fieldWithheld, "An intermediary who issues from another city may not withhold the ISS.", notOurs, issuerProvides},
}

// ratesFollowTable are rates that the authority does not want to be told.
var ratesFollowTable = "The rate is sent only where the table of rates requires it."

// rulesOfRate are about when the ISS rate is sent, and which.
var rulesOfRate = []rule{
	{"E0595", fieldRate, "The ISS rate is above the legal maximum of 5 percent.", setRate, checks("The service's rate is at most 5.00.")},
	{"E0600", fieldRate, "The ISS rate must not be sent for a microentrepreneur (MEI).", notOurs, cannot(ratesFollowTable)},
	{"E0602", fieldRate, "The ISS rate must not be sent for an immune, exported or untaxed service.", notOurs, alwaysTaxable},
	{"E0604", fieldRate, "The ISS rate must not be sent for a provider under a special regime.", notOurs, cannot(ratesFollowTable)},
	{"E0612", fieldRate, "The ISS rate must not be sent with a benefit that exempts or sets a rate of its own.", notOurs, noBenefit},
	{"E0617", fieldRate, "The city where the ISS is due is active in the national system, which knows its rates: none must be sent.",
		"Remove the city from the inactive municipalities with `emissor fiscal-profile set`." + again,
		leave("Follows from the profile's inactive municipalities; whether they are still inactive only the authority knows.")},
	{"E0619", fieldRate, "The city where the ISS is due is not active in the national system, so the rate must be sent.",
		"Set the service's iss_rate; and where the authority says so, list the city among the inactive municipalities with `emissor fiscal-profile set`." + again,
		checks("The service has a rate where the profile lists the city as inactive.")},
	{"E0621", fieldRate, "For ISS withheld from a micro or small company (ME/EPP) the rate of its Simples Nacional bracket must be sent, at least 1.80 percent.",
		"Set the service's iss_rate to the rate of the company's present bracket, from 1.80 to 5.00." + again, checks("The service has a rate, of at least 1.80.")},
	{"E0625", fieldRate, "The rate must not be sent for a micro or small company (ME/EPP) whose ISS is paid within Simples Nacional and not withheld.", notOurs,
		cannot(ratesFollowTable)},
	{"E0628", fieldRate, "For ISS withheld from a micro or small company (ME/EPP) in favour of a city that is not active in the national system the rate must be sent, at least 1.80 percent.",
		"Set the service's iss_rate to the rate of the company's present bracket, from 1.80 to 5.00." + again, checks("The service has a rate, of at least 1.80.")},
	{"E0631", fieldRate, "The rate must not be sent for ISS paid within Simples Nacional and not withheld, even where the city is not active in the national system.", notOurs,
		cannot(ratesFollowTable)},
	{"E0635", fieldRate, "The city where the ISS is due is active in the national system, so the rate must not be sent for a company that pays its ISS outside Simples Nacional.",
		"Remove the city from the inactive municipalities with `emissor fiscal-profile set`." + again,
		leave("Follows from the profile's inactive municipalities; whether they are still inactive only the authority knows.")},
	{"E0640", fieldRate, "A company in Simples Nacional that pays its ISS outside it must send the rate where the city is not active in the national system.",
		"Set the service's iss_rate; and where the authority says so, list the city among the inactive municipalities with `emissor fiscal-profile set`." + again,
		checks("The service has a rate where the profile lists the city as inactive.")},
}

// rulesOfFederalTaxes are about PIS, COFINS and federal withholdings.
var rulesOfFederalTaxes = []rule{
	{"E0675", "", "An issuer identified by a CPF may not inform federal taxes.", notOurs, noFederal},
	{"E0676", "", "A microentrepreneur (MEI) may not inform federal taxes.", notOurs, noFederal},
	{"E0677", "", "The base of PIS and COFINS exceeds the price of the service.", notOurs, noPISCOFINS},
	{"E0678", "", "This tax situation of PIS and COFINS needs a base.", notOurs, noPISCOFINS},
	{"E0680", "", "The base of PIS and COFINS must be above zero and below the price of the service.", notOurs, noPISCOFINS},
	{"E0682", "", "This tax situation of PIS and COFINS may not have a base.", notOurs, noPISCOFINS},
	{"E0684", "", "A base of PIS and COFINS needs the rate of PIS.", notOurs, noPISCOFINS},
	{"E0686", "", "The rate of PIS must be from 0 to 100 percent.", notOurs, noPISCOFINS},
	{"E0688", "", "In a tax situation at zero rate the rates of PIS and COFINS must be zero.", notOurs, noPISCOFINS},
	{"E0690", "", "A base of PIS and COFINS needs the rate of COFINS.", notOurs, noPISCOFINS},
	{"E0692", "", "The rate of COFINS must be from 0 to 100 percent.", notOurs, noPISCOFINS},
	{"E0694", "", "The amount of PIS is not its base multiplied by its rate.", notOurs, noPISCOFINS},
	{"E0696", "", "The amount of COFINS is not its base multiplied by its rate.", notOurs, noPISCOFINS},
	{"E0698", "", "This tax situation of PIS and COFINS must state whether they are withheld.", notOurs, noPISCOFINS},
	{"E0699", "", "The withheld social security contribution must be above zero and below the price.", notOurs, noFederal},
	{"E0700", "", "The withheld income tax must be above zero and below the price.", notOurs, noFederal},
	{"E0701", "", "The withheld social contributions must be above zero and below the price.", notOurs, noFederal},
	{"E0720", "", "Withheld social contributions were informed although their kind says that none are withheld.", notOurs, noFederal},
	{"E0724", "", "The kind says that social contributions are withheld, and their amount is missing.", notOurs, noFederal},
	{"E0850", "", "The group of IBS and CBS is only allowed from January 2026 on.", notOurs, noIBSCBS},
	{"E0854", "", "The group of IBS and CBS is not part of the layout version that was used.", notOurs, noIBSCBS},
	{"E0901", "", "The indicator of the operation for IBS and CBS is not on the official list.", notOurs, noIBSCBS},
	{"E0910", "", "A recipient other than the customer was named, or left out, against what the indicator of IBS and CBS says.", notOurs, noIBSCBS},
}

// rulesOfTotalTaxes are about the approximate total of taxes (Law 12.741).
var rulesOfTotalTaxes = []rule{
	{"E0702", "", "The approximate federal taxes, in money, must be between zero and the price.", notOurs,
		cannot("The total is informed in percent.", never("DPS/infDPS/valores/trib/totTrib/vTotTrib"))},
	{"E0703", "", "The approximate state taxes, in money, must be between zero and the price.", notOurs,
		cannot("The total is informed in percent.", never("DPS/infDPS/valores/trib/totTrib/vTotTrib"))},
	{"E0704", "", "The approximate municipal taxes, in money, must be between zero and the price.", notOurs,
		cannot("The total is informed in percent.", never("DPS/infDPS/valores/trib/totTrib/vTotTrib"))},
	{"E0706", "", "The approximate federal taxes must be from 0 to 100 percent.", correctTaxes, checks("The profile's percentage is in the range.")},
	{"E0707", "", "The approximate state taxes must be from 0 to 100 percent.", correctTaxes, checks("The profile's percentage is in the range.")},
	{"E0708", "", "The approximate municipal taxes must be from 0 to 100 percent.", correctTaxes, checks("The profile's percentage is in the range.")},
	{"E0712", "", "A micro or small company (ME/EPP) may not leave the approximate total of taxes uninformed.", notOurs,
		cannot("An ME or EPP always informs its percentage of Simples.")},
	{"E0710", "", "A microentrepreneur (MEI) may not inform the approximate percentage of Simples Nacional.", correctTaxes,
		checks("The profile of an MEI has no percentages.")},
	{"E0713", "", "A company outside Simples Nacional must inform federal, state and municipal totals, and not that of Simples.", correctTaxes,
		checks("The profile of an issuer outside Simples has no percentage of Simples.")},
}

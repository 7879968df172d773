package national

// rulesOfService are about what was done, and where.
var rulesOfService = []rule{
	{"E0302", fieldPlace, "The place where the service is rendered is not an IBGE municipality.", correctCity,
		checks("Seven digits; its existence is checked when the service is put on record.")},
	{"E1402", fieldPlace, "Port services cannot be rendered at sea: they need the city of the port.", correctCity, sharedOnly},
	{"E0304", fieldPlace, "The country where the service is rendered is unknown or is Brazil.", notOurs,
		cannot("The place of service is always a Brazilian city.", never("DPS/infDPS/serv/locPrest/cPaisPrestacao"))},
	{"E0310", fieldNationalCode, "The national tax code is not on the national list of services, or the city where the ISS is due does not have it.", correctService,
		checks("The code is on the list, but for codes 99, which newer editions add; whether the city has it only its parameters tell.")},
	{"E0312", fieldNationalCode, "The city where the ISS is due does not tax services under this national tax code.",
		"Ask that city's hall which code it administers, and correct the service." + again, itsParameters},
	{"E0314", "", "The municipal tax code does not exist in the city where the ISS is due.", notOurs,
		cannot("The municipal code is never sent.", never("DPS/infDPS/serv/cServ/cTribMun"))},
	{"E0315", "", "The municipal tax code 000 is not a code.", notOurs,
		cannot("The municipal code is never sent.", never("DPS/infDPS/serv/cServ/cTribMun"))},
	{"E0316", "", "The NBS code is not on the national list of NBS codes.", notOurs, cannot("No NBS code is sent.", never("DPS/infDPS/serv/cServ/cNBS"))},
	{"E0318", "", "An exported service needs an NBS code.", issueElsewhere,
		cannot("Customer and place of service are always Brazilian.", never("DPS/infDPS/toma/end/endExt"), never("DPS/infDPS/serv/locPrest/cPaisPrestacao"))},
	{"E0320", "", "An imported service needs an NBS code.", notOurs, issuerProvides},
	{"E0322", "", "A document with the group of IBS and CBS needs an NBS code.", notOurs, noIBSCBS},
	{"E0420", "", "A document that the customer or an intermediary issues must name the document it refers to.", notOurs, issuerProvides},
}

// rulesOfForeignTrade are about exported and imported services.
var rulesOfForeignTrade = []rule{
	{"E0330", "", "An exported service needs the group of foreign trade.", issueElsewhere,
		cannot("Customer and place of service are always Brazilian, and the service taxable.",
			never("DPS/infDPS/toma/end/endExt"), never("DPS/infDPS/serv/locPrest/cPaisPrestacao"), only("DPS/infDPS/valores/trib/tribMun/tribISSQN", "1"))},
	{"E0331", "", "An imported service needs the group of foreign trade.", notOurs, issuerProvides},
	{"E0333", "", "How an exported service is rendered may not be left unstated.", notOurs, noForeignTrade},
	{"E0341", "", "Which export support the provider uses may not be left unstated.", notOurs, noForeignTrade},
	{"E0343", "", "Which trade support the customer uses may not be left unstated.", notOurs, noForeignTrade},
	{"E0345", "", "Whether goods move temporarily with an exported service may not be left unstated.", notOurs, noForeignTrade},
	{"E0352", "", "A service tied to a temporary import needs the number of the import declaration.", notOurs, noForeignTrade},
	{"E0354", "", "A service tied to no movement of goods may name no import declaration or export registration.", notOurs, noForeignTrade},
	{"E0356", "", "A service tied to a temporary export needs the number of the export registration.", notOurs, noForeignTrade},
}

// rulesOfWorks are about works and events, which need a description of their
// place that the API has no fields for.
var rulesOfWorks = []rule{
	{"E0370", fieldNationalCode, "A service of this national tax code needs a description of the construction work (group obra), which the API cannot carry.", issueElsewhere,
		checks("Codes that need the group are refused.")},
	{"E0372", "", "A construction work was described for a service that is none.", notOurs, noWorks},
	{"E0380", "", "The zip code of the construction work is not in the city where the service is rendered.", notOurs, noWorks},
	{"E0382", "", "A construction work abroad may not have a Brazilian zip code.", notOurs, noWorks},
	{"E0384", "", "A construction work abroad needs a foreign address.", notOurs, noWorks},
	{"E0386", "", "A construction work in Brazil may not have a foreign address.", notOurs, noWorks},
	{"E0390", fieldNationalCode, "A service of item 12, leisure and entertainment, needs a description of the event (group atvEvento), which the API cannot carry.", issueElsewhere,
		checks("Codes of item 12 are refused.")},
	{"E0392", "", "An event was described for a service that is not of item 12.", notOurs, noEvent},
	{"E0398", "", "The zip code of the event is missing, or not in the city where the service is rendered.", notOurs, noEvent},
	{"E0400", "", "An event abroad may not have a Brazilian zip code.", notOurs, noEvent},
	{"E0402", "", "An event abroad needs a foreign address.", notOurs, noEvent},
	{"E0404", "", "An event in Brazil may not have a foreign address.", notOurs, noEvent},
}

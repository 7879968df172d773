package national

// What a person does about a rejected note. A rejected note is final: what was
// corrected is issued as a new one.
const (
	again = " Then issue again with a new reference."

	correctDocument     = "Check the CPF or CNPJ with the customer and correct it." + again
	correctMunicipality = "Correct the customer's municipality code, or leave it out so that the zip code decides it." + again
	correctZipCode      = "Ask the customer for the zip code, or correct the municipality so that the two agree." + again
	completeAddress     = "Complete the customer's address: street, number, district, zip code and municipality." + again
	correctService      = "Choose the service's national tax code with the accountant and correct the service." + again
	removeWithholding   = "Send iss_withheld as false." + again
	setRate             = "Set the service's iss_rate to the rate that the city of the tax applies." + again
	correctCity         = "Correct the city in the service's municipality_code." + again

	correctIssuer       = "Compare the organization's document with its registration and correct it with `emissor fiscal-profile set`." + again
	correctRegistration = "Clear the municipal registration with the city hall, then set it, and whether it is sent, with `emissor fiscal-profile set`." + again
	correctSimples      = "Compare the organization's standing in Simples Nacional with `emissor fiscal-profile`, and correct it there with `emissor fiscal-profile set`." + again
	correctRegime       = "Correct the special regime with `emissor fiscal-profile set`; 0 is none." + again
	correctTaxes        = "Correct the approximate taxes with `emissor fiscal-profile set`." + again
	issueElsewhere      = "Issue through the city's own system or the national portal, which can state what this API has no field for."
	laterOrElsewhere    = "Ask the city hall when its agreement with the national system starts or resumes, and issue through the city's own system meanwhile."

	// What the caller cannot cause: Emissor writes it alone.
	ourFault  = "Nothing in the request causes this: report it to the operators of Emissor, with the note's id. Nothing was issued."
	notOurs   = "Emissor sends nothing of the kind: report it to the operators of Emissor, with the note's id. Nothing was issued."
	theirNote = "The authority makes this part itself: report it to the operators of Emissor, who can ask the authority's support. Nothing was issued."
	cityOnly  = "This concerns cities, not issuers: report it to the operators of Emissor, with the note's id."

	newCertificate = "Add a valid certificate of the organization with `emissor certificate add`; the note then continues by itself."

	noteStays      = "The note stays issued. "
	askCityToUndo  = noteStays + "Ask the city hall to cancel it, by its administrative procedure."
	eventOurFault  = noteStays + "Nothing in the request causes this: report it to the operators of Emissor, with the note's id."
	eventNotOurs   = noteStays + "Emissor sends no such event: report it to the operators of Emissor, with the note's id."
	eventNewKey    = noteStays + "Add a valid certificate of the organization with `emissor certificate add`, then ask to cancel again."
	eventCityEvent = noteStays + "This concerns documents that only cities write: report it to the operators of Emissor, with the note's id."
)

// Why rules of one kind are handled alike.
var (
	itsNote        = leave("About the NFS-e, which the authority makes itself.")
	sharedOnly     = leave("Applied only to notes that cities share with the ADN.")
	itsRegisters   = leave("Needs the federal registers.")
	itsCityRecords = leave("Needs the city's records of taxpayers (CNC).")
	itsParameters  = leave("Needs the city's parameters in the national system.")

	issuerProvides = cannot("The issuer is always the provider.", only("DPS/infDPS/tpEmit", "1"))
	noSubstitution = cannot("No document replaces another.", never("DPS/infDPS/subst"))
	noIntermediary = cannot("No document has an intermediary.", never("DPS/infDPS/interm"))
	noForeignTrade = cannot("No document has the group of foreign trade.", never("DPS/infDPS/serv/comExt"))
	noWorks        = cannot("No document has the group of works.", never("DPS/infDPS/serv/obra"))
	noEvent        = cannot("No document has the group of an event.", never("DPS/infDPS/serv/atvEvento"))
	noDeduction    = cannot("No document has deductions.", never("DPS/infDPS/valores/vDedRed"))
	noBenefit      = cannot("No document claims a municipal benefit.", never("DPS/infDPS/valores/trib/tribMun/BM"))
	noFederal      = cannot("No document informs federal taxes.", never("DPS/infDPS/valores/trib/tribFed"))
	noPISCOFINS    = cannot("No document informs PIS or COFINS.", never("DPS/infDPS/valores/trib/tribFed/piscofins"))
	alwaysTaxable  = cannot("The service is always declared taxable.", only("DPS/infDPS/valores/trib/tribMun/tribISSQN", "1"))
	noIBSCBS       = cannot("No document has the group of IBS and CBS.", never("DPS/infDPS/IBSCBS"))
)

// noEventOf says that an event is never asked for.
func noEventOf(element string) disposition {
	return cannot("Cancelling is the only event that is asked for.", never("pedRegEvento/infPedReg/"+element))
}

// Code generated from the tables by go test ./nfse/fact -run TestCodes -update; DO NOT EDIT.

package fact

// Codes of alarms.tsv.
const (
	// the number {number} of series {series} was used by another system; the next one is taken
	NumberUsedByAnother Code = "number_used_by_another"
	// the number {number} of series {series} belongs to a document of another system; the next one is taken
	NumberOfAnothersDocument Code = "number_of_anothers_document"
	// the authority says that the number {number} of series {series} is in use, and finds nothing under it
	NumberInUseNotFound Code = "number_in_use_not_found"
	// a document exists under the number {number} of series {series} that is this note's or cannot be compared, and is not one that was sent from here
	DocumentNotSentFromHere Code = "document_not_sent_from_here"
	// the city has had the request of analysis for {days} days and has not answered: ask at the city hall
	AnalysisPendingLong Code = "analysis_pending_long"
	// the authority has shown no event of the replacement (e105102) for {days} days, although the other note was issued: look at this note on its site
	ReplacementUnconfirmed Code = "replacement_unconfirmed"
	// amounts of the authority's document cannot be read and are not shown: {elements}
	TotalsUnread Code = "totals_unread"
	// the authority's document states {stated} as {member:total}, and {expected} was expected
	TotalsDiffer Code = "totals_differ"
)

// Codes of audit.tsv.
const (
	// CPF ending in {digits}
	CPFEnding Code = "cpf_ending"
)

// Codes of calendar.tsv.
const (
	// Notes of services in general state IBS and CBS. The national system still takes those without.
	IBSCBSStated Code = "ibs_cbs_stated"
	// The same holds for digital platforms, rents, intangibles, condominiums and the subitems 1.03, 1.05, 1.09 and 16.01.
	IBSCBSStatedByOthers Code = "ibs_cbs_stated_by_others"
	// Small companies of Simples Nacional issue by the national system, whatever their city has set.
	SimplesIssuesNationally Code = "simples_issues_nationally"
	// The calculator of IBS and CBS applies its links of NBS, cClassTrib and cIndOp. Import them to see which services they do not fit.
	LinksApplied Code = "links_applied"
	// Every note states IBS and CBS: one whose service is not classified waits.
	IBSCBSRequired Code = "ibs_cbs_required"
	// Notes of Simples Nacional state IBS and CBS, too: one whose service is not classified waits.
	IBSCBSRequiredInSimples Code = "ibs_cbs_required_in_simples"
	// IBS and CBS are charged in addition to the price: the total of a note is more than its net amount.
	IBSCBSOnTop Code = "ibs_cbs_on_top"
	// Whether IBS and CBS are charged in addition to the price is not settled for Simples Nacional: layout 1.01 adds them for every issuer, NT 009 only where they are assessed outside Simples. The total of the document counts.
	IBSCBSOnTopInSimples Code = "ibs_cbs_on_top_in_simples"
	// The layout of NT 009 has neither schema nor day yet. Until then notes go out in layout 1.01.
	NextLayout Code = "next_layout"
)

// Codes of calls.tsv.
const (
	// {code}
	RefusedWith Code = "refused_with"
	// {outcome:outcome}
	CallCameTo Code = "call_came_to"
	// {outcome:outcome}: {why}
	CallCameToBecause Code = "call_came_to_because"
	// {facts}
	Joined Code = "joined"
	// the attempt failed on our side, and is made again: the worker's log says why
	FailedHere Code = "failed_here"
	// this process does not serve the environment
	CallNotServed Code = "call_not_served"
	// the time for the call was over
	CallTimeOver Code = "call_time_over"
	// there is no certificate to ask with
	CallWithoutCertificate Code = "call_without_certificate"
	// the request could not be made
	CallNotMade Code = "call_not_made"
	// the question could not be signed
	QuestionNotSigned Code = "question_not_signed"
	// the authority's name could not be resolved
	CallNameNotResolved Code = "call_name_not_resolved"
	// connecting took too long
	CallConnectingTooSlow Code = "call_connecting_too_slow"
	// no connection to the authority
	CallNoConnection Code = "call_no_connection"
	// stopped before an answer came
	CallStopped Code = "call_stopped"
	// the connection broke before an answer came
	CallConnectionBroke Code = "call_connection_broke"
	// the server's TLS certificate is signed by nobody we trust
	TLSServerNotTrusted Code = "tls_server_not_trusted"
	// the server's TLS certificate is of another host
	TLSServerOfAnotherHost Code = "tls_server_of_another_host"
	// the server's TLS certificate is not valid
	TLSServerNotValid Code = "tls_server_not_valid"
	// the authority refused the certificate in the TLS handshake ({alert})
	TLSCertificateRefused Code = "tls_certificate_refused"
	// the authority does not let the certificate in (HTTP {status})
	CertificateShutOut Code = "certificate_shut_out"
	// the TLS handshake took too long
	TLSHandshakeTooSlow Code = "tls_handshake_too_slow"
	// the TLS handshake failed
	TLSHandshakeFailed Code = "tls_handshake_failed"
	// the authority asks for the certificate by TLS renegotiation, which EMISSOR_AUTHORITY_TLS does not allow
	TLSRenegotiationAsked Code = "tls_renegotiation_asked"
	// {why}: add one that it takes by emissor certificate add; it is tried again by itself, every hour at least
	AddCertificateItTakes Code = "add_certificate_it_takes"
	// the answer ({status}) broke off
	AnswerBrokeOff Code = "answer_broke_off"
	// the answer ({status}) is larger than {mib} MiB
	AnswerTooLarge Code = "answer_too_large"
	// the answer ({status}) is not one that is understood
	AnswerNotUnderstood Code = "answer_not_understood"
)

// Codes of calls_national.tsv.
const (
	// the authority answered {status} ({code})
	SefinAnsweredCode Code = "sefin_answered_code"
	// the authority answered {status}, which points elsewhere
	SefinAnsweredElsewhere Code = "sefin_answered_elsewhere"
	// the authority answered {status}, in words that say neither yes nor no
	SefinAnsweredUnclearly Code = "sefin_answered_unclearly"
	// the authority answered {status} without words
	SefinAnsweredNothing Code = "sefin_answered_nothing"
	// the authority answered {status}, and not in JSON
	SefinAnsweredNoJSON Code = "sefin_answered_no_json"
	// authority unavailable ({status})
	SefinUnavailable Code = "sefin_unavailable"
	// the message could not be compressed
	SefinMessageNotCompressed Code = "sefin_message_not_compressed"
	// the answer contradicts itself
	SefinContradiction Code = "sefin_contradiction"
	// the answer both refuses ({code}) and names an access key
	SefinRefusesAndNames Code = "sefin_refuses_and_names"
	// the answer is about another document ({field})
	SefinAboutAnotherDocument Code = "sefin_about_another_document"
	// the answer is about another event
	SefinAboutAnotherEvent Code = "sefin_about_another_event"
	// the answer is from the other environment (tipoAmbiente {environment})
	SefinOtherEnvironment Code = "sefin_other_environment"
	// the access key in the answer is not one of this issuer
	SefinKeyOfAnotherIssuer Code = "sefin_key_of_another_issuer"
	// the answer ({status}) contradicts the document in it, which counts ({member})
	SefinContradictsItsDocument Code = "sefin_contradicts_its_document"
	// the authority takes no message of this size before it knows the certificate (413): it is asked what exists, and the message is then held back until it is wanted
	SefinBodyNotTaken Code = "sefin_body_not_taken"
	// a document exists, but this certificate may not see it
	SefinDocumentHidden Code = "sefin_document_hidden"
	// the document could not be fetched: {why}
	SefinDocumentNotFetched Code = "sefin_document_not_fetched"
	// the document in the answer {why}
	SefinDocumentUnread Code = "sefin_document_unread"
	// the authority has named an access key: the document is to be fetched
	SefinDocumentToFetch Code = "sefin_document_to_fetch"
	// the document in the answer is another one (infNFSe Id)
	SefinDocumentAnother Code = "sefin_document_another"
	// the document in the answer was made from another DPS (infDPS Id)
	SefinDocumentOfAnotherDPS Code = "sefin_document_of_another_dps"
	// the event in the answer {why}
	SefinEventUnread Code = "sefin_event_unread"
	// the event in the answer is another one
	SefinEventAnother Code = "sefin_event_another"
	// has not one infNFSe
	NFSeNotOneInf Code = "nfse_not_one_inf"
	// embeds not one DPS
	NFSeNotOneDPS Code = "nfse_not_one_dps"
	// has not one number (nNFSe)
	NFSeNotOneNumber Code = "nfse_not_one_number"
	// has not one moment of issue (dhProc)
	NFSeNotOneMoment Code = "nfse_not_one_moment"
	// has a moment of issue (dhProc) that is no date
	NFSeMomentNoDate Code = "nfse_moment_no_date"
	// names no access key
	NFSeNamesNoKey Code = "nfse_names_no_key"
	// is about not one document
	EventNotOneDocument Code = "event_not_one_document"
	// the ADN asks for a pause (429)
	ADNAsksForPause Code = "adn_asks_for_pause"
	// the ADN answered {status}
	ADNAnswered Code = "adn_answered"
	// the ADN answered {status} ({code})
	ADNAnsweredCode Code = "adn_answered_code"
	// the ADN answered {status}, and not in JSON of a page
	ADNAnsweredNoBatch Code = "adn_answered_no_batch"
	// the answer is from another environment (TipoAmbiente) than the one that is configured
	ADNOtherEnvironment Code = "adn_other_environment"
	// the ADN says that there are documents, and has none
	ADNEmptyBatch Code = "adn_empty_batch"
	// the ADN answered with {count} documents, more than are read of a page
	ADNTooManyDocuments Code = "adn_too_many_documents"
	// the ADN answered with nothing that follows the position asked for
	ADNNothingFollows Code = "adn_nothing_follows"
	// no worker has looked yet: it wants the address of the ADN (EMISSOR_NATIONAL_…_ADN_URL)
	DistributionNotBegun Code = "distribution_not_begun"
)

// Codes of calls_sao_paulo.tsv.
const (
	// this process does not serve the city of Sao Paulo
	CityNotServed Code = "city_not_served"
	// a note is issued in production only: the city has no test system
	CityProductionOnly Code = "city_production_only"
	// the message is larger than {kb} KB
	CityMessageTooLarge Code = "city_message_too_large"
	// the message is no RPS
	CityMessageNoRPS Code = "city_message_no_rps"
	// the message has no value
	CityMessageWithoutValue Code = "city_message_without_value"
	// the message is no cancellation
	CityMessageNoCancellation Code = "city_message_no_cancellation"
	// {field}: there is none
	CityFieldMissing Code = "city_field_missing"
	// {field}: not 1 to {most} digits
	CityFieldDigits Code = "city_field_digits"
	// the city turned the request away (HTTP {status})
	CityRefusedUnread Code = "city_refused_unread"
	// the city does not take the form of the request: set EMISSOR_SAO_PAULO_SOAP to the other version
	CityRefusesEnvelope Code = "city_refuses_envelope"
	// the city refuses the certificate ({code})
	CityRefusesCertificate Code = "city_refuses_certificate"
	// a SOAP fault
	CityFault Code = "city_fault"
	// the city answered in words that say neither yes nor no
	CityUnclear Code = "city_unclear"
	// the city answered in words that say neither yes nor no ({codes})
	CityUnclearCodes Code = "city_unclear_codes"
	// the city answered {codes}
	CityAnsweredCodes Code = "city_answered_codes"
	// the city does not say of every number whether it is free
	CityNotOfEveryNumber Code = "city_not_of_every_number"
	// the answer cannot be read: it {why}
	CityAnswerUnread Code = "city_answer_unread"
	// is the answer to something else
	CityAnswerToSomethingElse Code = "city_answer_to_something_else"
	// is no SOAP envelope with an answer
	CityNoEnvelope Code = "city_no_envelope"
	// the answer says both success and {codes}
	CitySuccessAndErrors Code = "city_success_and_errors"
	// the answer both refuses ({codes}) and names a note
	CityRefusesAndNames Code = "city_refuses_and_names"
	// the answer is about another RPS
	CityAboutAnotherRPS Code = "city_about_another_rps"
	// the answer is about another note
	CityAboutAnotherNote Code = "city_about_another_note"
	// the answer is about other notes
	CityAboutOtherNotes Code = "city_about_other_notes"
	// the answer is about several notes
	CityAboutSeveralNotes Code = "city_about_several_notes"
	// the answer {why}
	CityAnswerWrong Code = "city_answer_wrong"
	// the note in the answer {why}
	CityNoteWrong Code = "city_note_wrong"
	// a note in the answer {why}
	CityOneNoteWrong Code = "city_one_note_wrong"
	// the note has a status that is neither issued nor cancelled
	CityNoteStatusUnknown Code = "city_note_status_unknown"
	// a note has a status that is neither issued nor cancelled
	CityOneNoteStatusUnknown Code = "city_one_note_status_unknown"
	// names not one note
	CityNamesNotOneNote Code = "city_names_not_one_note"
	// names a note without a number
	CityNamesNoNumber Code = "city_names_no_number"
	// names a note of another company
	CityNamesAnotherCompany Code = "city_names_another_company"
	// names no RPS
	CityNamesNoRPS Code = "city_names_no_rps"
	// has no moment of issue (DataEmissaoNFe)
	CityNoteWithoutMoment Code = "city_note_without_moment"
	// has no status (StatusNFe)
	CityNoteWithoutStatus Code = "city_note_without_status"
	// the note is to be fetched
	CityNoteToFetch Code = "city_note_to_fetch"
	// the note is to be fetched (alerts {codes})
	CityNoteToFetchAlerts Code = "city_note_to_fetch_alerts"
	// two notes stand under one RPS: {first} and {second}
	CityTwoNotesStand Code = "city_two_notes_stand"
	// the note {note} was made of the RPS {number} of series {series}, and whether it is this one cannot be told by what the city shows of it
	CityNoteUndecided Code = "city_note_undecided"
	// the note {note} was cancelled at the city
	CityNoteCancelled Code = "city_note_cancelled"
	// the city cancelled the note {gone}, which was made of the RPS {number} of series {series} before, and issued the note {note} in its place
	CityNoteReplaced Code = "city_note_replaced"
	// the city says (217) that it cancelled the note {gone}, which was made of the RPS {number} of series {series} before, and its answer names no other that can be read
	CityNoteGone Code = "city_note_gone"
	// (of unknown number)
	CityNoteUnnamed Code = "city_note_unnamed"
)

// Codes of certificate_files.tsv.
const (
	// the password is not the file's
	PasswordNotOfFile Code = "password_not_of_file"
	// the password holds characters beyond those of a PFX file (UCS-2): export it again under another one
	PasswordCharacters Code = "password_characters"
	// the file is not a PFX (PKCS#12) file, or it is damaged
	PFXUnread Code = "pfx_unread"
	// the file is larger than {mib} MiB: it is no PFX (PKCS#12) file
	PFXTooLarge Code = "pfx_too_large"
	// the file's password would take more than {most} iterations to try: export it again
	PFXTooManyIterations Code = "pfx_too_many_iterations"
	// the file is a PFX of a kind that is not read here ({kind})
	PFXKindUnknown Code = "pfx_kind_unknown"
	// the file holds no private key: export it again, with its key
	PFXWithoutKey Code = "pfx_without_key"
	// the file holds more than one private key
	PFXWithSeveralKeys Code = "pfx_with_several_keys"
	// the file holds a key but no certificate
	PFXWithoutCertificate Code = "pfx_without_certificate"
	// no certificate in the file belongs to the file's key
	PFXWithoutCertificateOfKey Code = "pfx_without_certificate_of_key"
	// the file's key is of a kind that cannot sign
	KeyCannotSign Code = "key_cannot_sign"
	// the key is not RSA, and the authority takes only RSA signatures
	KeyNotRSA Code = "key_not_rsa"
	// the RSA key has {bits} bits, and at least {least} are needed
	KeyTooShort Code = "key_too_short"
	// the key is not the certificate's
	KeyOfAnotherCertificate Code = "key_of_another_certificate"
	// the file holds no certificates in PEM
	ChainFileUnread Code = "chain_file_unread"
	// the key's reference has to be one line of at most {most} bytes
	KeyReferenceWrong Code = "key_reference_wrong"
	// the certificate's subject or issuer holds a NUL, or bytes that are no UTF-8
	CertificateNamesUnreadable Code = "certificate_names_unreadable"
	// the certificate's alternative names cannot be read
	CertificateAlternativeNames Code = "certificate_alternative_names"
	// the certificate is of X.509 version {version}, and 3 is needed
	CertificateVersion Code = "certificate_version"
	// the certificate is not valid before {from}
	CertificateBegins Code = "certificate_begins"
	// the certificate expired on {on}
	CertificateEnded Code = "certificate_ended"
	// the certificate is a certification authority's, not a company's or a person's
	CertificateOfCA Code = "certificate_of_ca"
	// the certificate's key usage lacks digital signature or non-repudiation, so the authority would refuse what it signs (E0716)
	CertificateNotToSign Code = "certificate_not_to_sign"
	// the certificate is not for client authentication, so it cannot connect to the authority
	CertificateNotToConnect Code = "certificate_not_to_connect"
	// the certificate names another establishment of the company than the organization's fiscal profile, and the authority wants the certificate of that very one
	CertificateOfAnotherBranch Code = "certificate_of_another_branch"
	// the certificate names another company or person than the organization's fiscal profile
	CertificateOfAnotherHolder Code = "certificate_of_another_holder"
	// the certificate names no CNPJ or CPF: it is not an e-CNPJ or e-CPF of ICP-Brasil
	CertificateOfNobody Code = "certificate_of_nobody"
	// the certificate's data of a person (otherName 2.16.76.1.3.1) are too short to hold a CPF
	CertificatePersonTooShort Code = "certificate_person_too_short"
	// the tax id in the certificate's {part} {why}
	CertificateTaxIDWrong Code = "certificate_tax_id_wrong"
	// no root certificates are configured, so that nobody vouches for the certificate (EMISSOR_CERTIFICATE_ROOTS)
	CertificateRootsMissing Code = "certificate_roots_missing"
	// the certificate's chain does not lead to one of the given roots ({why})
	CertificateChainAstray Code = "certificate_chain_astray"
	// an unknown or missing certification authority
	ChainAuthorityUnknown Code = "chain_authority_unknown"
	// a certification authority of it is not valid at this time
	ChainAuthorityOutOfTime Code = "chain_authority_out_of_time"
	// it does not verify
	ChainUnverified Code = "chain_unverified"
)

// Codes of certificates.tsv.
const (
	// no certificate is usable: {why}; add one with `emissor certificate add`
	NoUsableCertificate Code = "no_usable_certificate"
	// none that names the issuer is on record
	CertificateMissing Code = "certificate_missing"
	// the authority wants the certificate of the very establishment that issues, and those on record name others of the company
	CertificateOfOtherEstablishment Code = "certificate_of_other_establishment"
	// the authority refused {certificate}: {code}
	CertificateRefused Code = "certificate_refused"
	// {certificate} is not valid before {from}
	CertificateNotYetValid Code = "certificate_not_yet_valid"
	// {certificate} expired on {on}
	CertificateExpired Code = "certificate_expired"
	// the certificate {certificate} does not open here: {why}
	CertificateDoesNotOpen Code = "certificate_does_not_open"
	// the authority did not let the organization's certificates in to ask
	CertificatesShutOut Code = "certificates_shut_out"
	// the program that signs with the certificate's key did not sign: {why}
	SigningProgramFailed Code = "signing_program_failed"
	// none is set (EMISSOR_SIGNER)
	SigningProgramNone Code = "signing_program_none"
	// it does not start, or ends without an answer
	SigningProgramSilent Code = "signing_program_silent"
	// it did not answer in time
	SigningProgramTooSlow Code = "signing_program_too_slow"
	// its answer is no signature
	SigningProgramUnclear Code = "signing_program_unclear"
	// its signature is not of the certificate's key
	SigningProgramOtherKey Code = "signing_program_other_key"
)

// Codes of cities.tsv.
const (
	// {table}: {why}
	CityParametersOf Code = "city_parameters_of"
	// no certificate opens to ask with
	CityNobodyToAsk Code = "city_nobody_to_ask"
)

// Codes of city_layouts.tsv.
const (
	// The server of {city} does not take {what} as the national system does, and nothing is sent: change that of the note, or issue it in the city's portal and cancel it here.
	CityLayoutLacks Code = "city_layout_lacks"
	// The code of the service {service} in {city} (cTribMun) must be a number without zeros before it, of at most 2147483647.
	CityCodeNumber Code = "city_code_number"
	// the city's server has no service at its address: an operator has to look at the city's row
	CityServiceNotThere Code = "city_service_not_there"
)

// Codes of city_servers.tsv.
const (
	// {city} does not issue by Emissor yet: {why}. An operator can turn it on in the table of cities.
	CityOff Code = "city_off"
	// There is no authority "{authority}": its row was taken out of the table of cities. An operator can put it back.
	CityGone Code = "city_gone"
	// not available in this city yet
	CityUnreported Code = "city_unreported"
	// the address of its production is not known, and its test system has older paths
	CityAddressUnknown Code = "city_address_unknown"
	// how its server says that there is no note is not known
	CityNoneUnknown Code = "city_none_unknown"
	// its server wants a token of each company, for which there is no place
	CityTokenWanted Code = "city_token_wanted"
	// must have 1 to {max} printable characters, with no blank at either end
	CityLoginWrong Code = "city_login_wrong"
	// the company's user and password with its city cannot be decrypted here: {why}
	CityLoginDoesNotOpen Code = "city_login_does_not_open"
	// The table of cities has no server of {city} for the competence {day}. An operator can add its row.
	CityNotOnDay Code = "city_not_on_day"
	// {city} leaves the series {first} to {last} to companies, and the fiscal profile has {series}.
	CitySeries Code = "city_series"
	// {city} grants the numbers that a company uses, and the fiscal profile has none for the series {series}: ask the city for a range and set it.
	CityNumbersMissing Code = "city_numbers_missing"
	// The service {service} has no code of {city} (cTribMun).
	CityCodeMissing Code = "city_code_missing"
	// The code of the service {service} in {city} (cTribMun) must have {digits} digits.
	CityCodeDigits Code = "city_code_digits"
	// {city} needs the company's municipal registration, and the fiscal profile has none.
	CityRegistrationMissing Code = "city_registration_missing"
	// Whether {city} takes notes of an individual (CPF) as issuer is not known, and nothing is sent: issue them in the city's portal.
	CityOfIndividual Code = "city_of_individual"
	// Companies in Simples Nacional issue by the national system, of competence from {from} on.
	CityOfSimples Code = "city_of_simples"
	// An MEI issues by the national system, whatever its city does.
	CityOfMEI Code = "city_of_mei"
	// {city} takes no cancellation from programs: cancel the note in the city's portal of the NFS-e. A request made here ends as refused at once, and nothing is sent.
	CityCancelsNothing Code = "city_cancels_nothing"
	// The server of {city} does not tell of cancellations by others.
	CityTellsNothing Code = "city_tells_nothing"
	// They are seen here once the city has shared them with the national environment (ADN), which is asked for this company; whether the city does so is not known.
	CityToldByADN Code = "city_told_by_adn"
	// The national environment (ADN) is not asked for this company, so that such cancellations are not seen here.
	CityOutsideNotSeen Code = "city_outside_not_seen"
	// Whether {city} replaces notes is not known: cancel the note there and issue another one.
	CityReplaces Code = "city_replaces"
	// the city's server answered {status}: it may have moved, and an operator has to look at its address in the table of cities
	CityServerMoved Code = "city_server_moved"
)

// Codes of classifications.tsv.
const (
	// must be {digits} digits
	MustBeDigits Code = "must_be_digits"
	// must be 8 capital letters and digits
	MustBeCIB Code = "must_be_cib"
	// must be from 0 to 100
	MustBePercentage Code = "must_be_percentage"
	// must be given, with at most {most} characters that documents carry
	MustBeGiven Code = "must_be_given"
	// {nbs} is not in the NBS of Annex B
	NBSUnknown Code = "nbs_unknown"
	// {indicator} is in Annex VII alone; layout 1.01 takes the codes of Annex C
	IndicatorOfAnnexVII Code = "indicator_of_annex_vii"
	// {indicator} is not in Annex C, by which layout 1.01 is checked
	IndicatorUnknown Code = "indicator_unknown"
	// {class_trib} is not of the CST {cst}: its first three digits are
	ClassTribOfAnotherCST Code = "class_trib_of_another_cst"
	// {cst} is no CST of IBS and CBS
	CSTUnknown Code = "cst_unknown"
	// {class_trib} is not in the table in force on {day}
	ClassTribUnknown Code = "class_trib_unknown"
	// {class_trib} is not for NFS-e
	ClassTribNotForNFSe Code = "class_trib_not_for_nfse"
	// {classified} is valid only from {from}
	CodeNotYetValid Code = "code_not_yet_valid"
	// {classified} was valid only until {until}
	CodeNoLongerValid Code = "code_no_longer_valid"
	// must be given, with cst-reg: the cClassTrib {class_trib} requires it
	RegularTaxationRequired Code = "regular_taxation_required"
	// must not be given: the cClassTrib {class_trib} does not allow it
	RegularTaxationForbidden Code = "regular_taxation_forbidden"
	// must be given, with pdif-mun and pdif-cbs: the CST {cst} requires a deferral
	DeferralRequired Code = "deferral_required"
	// must not be given: the CST {cst} does not allow a deferral
	DeferralForbidden Code = "deferral_forbidden"
	// must not be given: the cClassTrib {class_trib} allows no presumed credit
	PresumedCreditForbidden Code = "presumed_credit_forbidden"
	// {presumed_credit} is not in the table of presumed credits
	PresumedCreditUnknown Code = "presumed_credit_unknown"
	// must be 1 (union), 2 (state), 3 (federal district) or 4 (city)
	GovernmentUnknown Code = "government_unknown"
	// must be given with tp-ente-gov: 1, 4 or 5
	OperationOfGovernmentMissing Code = "operation_of_government_missing"
	// must be given for the national tax code {tax_code}: 1, 4 or 5
	OperationMissing Code = "operation_missing"
	// must be 1, 4 or 5: 2 and 3 refer to another NFS-e, which is not supported
	OperationOfAnotherNote Code = "operation_of_another_note"
	// must be 1, 4 or 5
	OperationUnknown Code = "operation_unknown"
	// must not be given: it is for purchases of the government (tp-ente-gov), and for the subitems 25.05, 15.09, 17.12 and 10.05
	OperationForbidden Code = "operation_forbidden"
	// or the address of the property must be given with the cIndOp {indicator}
	PropertyMissing Code = "property_missing"
	// and the other parts of a property must not be given for construction ({tax_code})
	PropertyOfConstruction Code = "property_of_construction"
	// and the other parts of a property must not be given with the cIndOp {indicator}: they are for 020101, 020201 and 020301
	PropertyForbidden Code = "property_forbidden"
	// or an address of the property must be given, and not both
	PropertyTwice Code = "property_twice"
	// must be true or false
	MustBeTrueOrFalse Code = "must_be_true_or_false"
	// must be a digit
	MustBeOneDigit Code = "must_be_one_digit"
	// must be given with the other percentages
	MustBeGivenWithPercentages Code = "must_be_given_with_percentages"
	// must be a percentage from 0 to 100 with at most two decimals, as 13.45
	MustBeTypedPercentage Code = "must_be_typed_percentage"
)

// Codes of connections.tsv.
const (
	// the connection was refused
	ConnectionRefused Code = "connection_refused"
	// no answer in time
	NoAnswerInTime Code = "no_answer_in_time"
	// connection refused by {address}
	NetworkRefused Code = "network_refused"
	// no route to {address}
	NetworkNoRoute Code = "network_no_route"
	// the network of {address} cannot be reached
	NetworkUnreachable Code = "network_unreachable"
	// {address} did not answer in time
	NetworkSilent Code = "network_silent"
	// the connection was closed by {address}
	NetworkClosedBy Code = "network_closed_by"
	// the other side closed the connection
	NetworkClosed Code = "network_closed"
	// there is no host {name}
	NameUnknown Code = "name_unknown"
	// there is no host {name}, says {server}
	NameUnknownTo Code = "name_unknown_to"
	// the name {name} could not be resolved by {server}
	NameNotResolved Code = "name_not_resolved"
	// the name {name} could not be resolved in time by {server}
	NameNotResolvedInTime Code = "name_not_resolved_in_time"
	// the server does not speak TLS at this port
	TLSNotSpoken Code = "tls_not_spoken"
	// the TLS certificate could not be verified: {why}
	TLSNotVerified Code = "tls_not_verified"
	// signed by an unknown authority
	TLSUnknownAuthority Code = "tls_unknown_authority"
	// expired or not yet valid: it is valid from {since} to {until}
	TLSOutOfTime Code = "tls_out_of_time"
	// valid for “{names}”, not for {host}
	TLSOtherHost Code = "tls_other_host"
)

// Codes of deliveries.tsv.
const (
	// the receiver answered {status}
	ReceiverAnswered Code = "receiver_answered"
	// the receiver redirected ({status}); redirects are not followed
	ReceiverRedirected Code = "receiver_redirected"
	// the host has no public address; private addresses are never dialled
	ReceiverNotPublic Code = "receiver_not_public"
	// the host's name could not be resolved
	ReceiverNotResolved Code = "receiver_not_resolved"
	// the receiver's TLS certificate is not valid, or it does not speak TLS
	ReceiverWithoutTLS Code = "receiver_without_tls"
	// the receiver did not answer in time
	ReceiverSilent Code = "receiver_silent"
	// the connection broke before an answer was read
	ReceiverBroke Code = "receiver_broke"
	// the proxy for webhooks refused to connect to the receiver ({status})
	WebhookProxyRefused Code = "webhook_proxy_refused"
	// the proxy for webhooks could not be reached
	WebhookProxyNotReached Code = "webhook_proxy_not_reached"
	// the attempt was interrupted
	DeliveryInterrupted Code = "delivery_interrupted"
	// the URL must look like https://host/path
	EndpointURLForm Code = "endpoint_url_form"
	// the URL must begin with https://
	EndpointURLScheme Code = "endpoint_url_scheme"
	// the URL's port {port} is not among those that are allowed
	EndpointURLPort Code = "endpoint_url_port"
	// the URL must not hold a user or a password
	EndpointURLUser Code = "endpoint_url_user"
	// the URL must not have a fragment
	EndpointURLFragment Code = "endpoint_url_fragment"
	// the URL must have at most {most} characters
	EndpointURLLength Code = "endpoint_url_length"
	// given up after {window}: {why}
	GivenUp Code = "given_up"
	// the delivery cannot be signed: {why}
	DeliveryNotSigned Code = "delivery_not_signed"
	// the receiver answered 410: it will not take this event
	DeliveryRefused Code = "delivery_refused"
	// the endpoint was deleted
	DeliveryEndpointDeleted Code = "delivery_endpoint_deleted"
	// the endpoint is disabled: {why}
	DeliveryEndpointDisabled Code = "delivery_endpoint_disabled"
	// the event is so old that its content is no longer kept
	DeliveryContentGone Code = "delivery_content_gone"
	// disabled by the operator
	EndpointDisabledByOperator Code = "endpoint_disabled_by_operator"
	// disabled in the dashboard
	EndpointDisabledInDashboard Code = "endpoint_disabled_in_dashboard"
	// it has answered 410 for 24 hours
	EndpointGone Code = "endpoint_gone"
)

// Codes of doctor.tsv.
const (
	// This process cannot see it: run `emissor doctor` on the worker's machine, with the worker's settings.
	DoctorElsewhere Code = "doctor_elsewhere"
	// It needs what is wrong above.
	DoctorNeedsFirst Code = "doctor_needs_first"
	// The check came to no end: {why}.
	DoctorBroke Code = "doctor_broke"
	// no answer in time
	DoctorTooSlow Code = "doctor_too_slow"
	// the program failed here
	DoctorPanicked Code = "doctor_panicked"
	// A setting is wrong: {why}.
	DoctorSettingWrong Code = "doctor_setting_wrong"
	// PostgreSQL answers and keeps what it acknowledges; its schema is at version {schema}.
	DoctorDatabaseGood Code = "doctor_database_good"
	// The database cannot be used: {why}.
	DoctorDatabaseAway Code = "doctor_database_away"
	// The connection to the database is not safe: {why}.
	DoctorDatabaseUnsafe Code = "doctor_database_unsafe"
	// The database's schema is at version {schema}, and this program needs {needed}.
	DoctorSchemaOlder Code = "doctor_schema_older"
	// The database's schema is at version {schema}, newer than this program's {needed}.
	DoctorSchemaNewer Code = "doctor_schema_newer"
	// Temporal answers; its namespace has the search attributes and keeps runs that have ended for {hours} hours.
	DoctorEngineGood Code = "doctor_engine_good"
	// Temporal answers, and knows the namespace.
	DoctorEngineAnswers Code = "doctor_engine_answers"
	// Temporal does not answer, or does not let us in: {why}.
	DoctorEngineAway Code = "doctor_engine_away"
	// Temporal's namespace lacks search attributes: {names}.
	DoctorAttributesMissing Code = "doctor_attributes_missing"
	// Temporal does not let us see whether its namespace has the search attributes.
	DoctorAttributesUnseen Code = "doctor_attributes_unseen"
	// Temporal's namespace keeps runs that have ended for {hours} hours, which costs room and is read by nothing here.
	DoctorRetentionLong Code = "doctor_retention_long"
	// The keyset opens, and holds the keys of all {secrets} sealed secrets.
	DoctorKeysetGood Code = "doctor_keyset_good"
	// No keyset is configured.
	DoctorKeysetMissing Code = "doctor_keyset_missing"
	// The keyset does not open: {why}.
	DoctorKeysetClosed Code = "doctor_keyset_closed"
	// {secrets} sealed secrets are under keys that the keyset does not hold.
	DoctorKeysetLacks Code = "doctor_keyset_lacks"
	// The mail server {server} lets us in; no message was sent.
	DoctorMailGood Code = "doctor_mail_good"
	// The mail server {server} does not take messages from here: {why}.
	DoctorMailFails Code = "doctor_mail_fails"
	// No mail server is configured: customers get no e-mails, and links are only shown.
	DoctorMailNone Code = "doctor_mail_none"
	// The server {host} answers by {version}; its certificate ends on {until}.
	DoctorHostGood Code = "doctor_host_good"
	// The server {host} cannot be reached: {why}.
	DoctorHostFails Code = "doctor_host_fails"
	// The server {host} asks for no certificate when a connection begins: where it asks for one later, by TLS renegotiation, EMISSOR_AUTHORITY_TLS does not allow it.
	DoctorHostAsksLate Code = "doctor_host_asks_late"
	// No authority's address is configured here: live notes wait.
	DoctorNoAuthority Code = "doctor_no_authority"
	// The clock here agrees with that of {authority}, by the Date of its answers.
	DoctorClockGood Code = "doctor_clock_good"
	// The clock here is {seconds} s ahead of that of {authority}.
	DoctorClockAhead Code = "doctor_clock_ahead"
	// The clock here is {seconds} s behind that of {authority}.
	DoctorClockBehind Code = "doctor_clock_behind"
	// No authority has answered a question, so that no Date was seen.
	DoctorClockUnknown Code = "doctor_clock_unknown"
	// {authority} answers: the number {number} of the series {series} is free.
	DoctorNumberFree Code = "doctor_number_free"
	// {authority} answers: the next number {number} of the series {series} is used already.
	DoctorNumberUsed Code = "doctor_number_used"
	// {authority} did not answer the question about a number: {why}.
	DoctorQuestionFailed Code = "doctor_question_failed"
	// {authority} does not take the certificate ({code}).
	DoctorQuestionRefused Code = "doctor_question_refused"
	// {authority} is not called from here in {environment:environment}: no address of it is configured, or it is off.
	DoctorNotServed Code = "doctor_not_served"
	// {authority} cannot be asked about a number before a note is sent.
	DoctorNotAsked Code = "doctor_not_asked"
)

// Codes of doctor_advice.tsv.
const (
	// `emissor config` says what each setting takes.
	DoctorDoSettings Code = "doctor_do_settings"
	// Check EMISSOR_DATABASE_URL, that PostgreSQL runs, and that fsync and synchronous_commit are on.
	DoctorDoDatabase Code = "doctor_do_database"
	// Use sslmode=verify-full, with sslrootcert.
	DoctorDoSafeConnection Code = "doctor_do_safe_connection"
	// Run `emissor migrate`.
	DoctorDoMigrate Code = "doctor_do_migrate"
	// Nothing while versions are changed; otherwise start the newer program.
	DoctorDoUpgrade Code = "doctor_do_upgrade"
	// Check TEMPORAL_ADDRESS and the other TEMPORAL_… settings, and that Temporal runs.
	DoctorDoEngine Code = "doctor_do_engine"
	// Have who may look whether `emissor migrate` has made them: a worker takes no work before.
	DoctorDoAttributes Code = "doctor_do_attributes"
	// `temporal operator namespace update --retention 72h` is enough.
	DoctorDoRetention Code = "doctor_do_retention"
	// Set EMISSOR_KEYSET_FILE to the keyset of this installation, as the worker has it; `emissor keyset create` makes the first one.
	DoctorDoKeyset Code = "doctor_do_keyset"
	// Check EMISSOR_SMTP_URL, its user and password.
	DoctorDoMail Code = "doctor_do_mail"
	// Check the address, the firewall and EMISSOR_AUTHORITY_CA.
	DoctorDoHost Code = "doctor_do_host"
	// Leave EMISSOR_AUTHORITY_TLS out, which is auto, or set it to 1.2-once.
	DoctorDoTLS Code = "doctor_do_tls"
	// Set the authority's address as the worker has it, and run this with the worker's settings.
	DoctorDoAddress Code = "doctor_do_address"
	// Have the machine's clock set by NTP: authorities refuse what comes from the future.
	DoctorDoClock Code = "doctor_do_clock"
	// Another program issues under this series: use another series, or set the next number.
	DoctorDoSeries Code = "doctor_do_series"
	// Run this again later; if it stays, look at the certificate and at the authority's own site.
	DoctorDoAskAgain Code = "doctor_do_ask_again"
	// Set the fiscal profile: the page Company, or `emissor fiscal-profile set`.
	DoctorDoProfile Code = "doctor_do_profile"
	// Add a valid A1 certificate of the company: the page Company, or `emissor certificate add`.
	DoctorDoCertificate Code = "doctor_do_certificate"
	// Use the keyset that sealed them, or give them again: the page Company, or `emissor city-login set`.
	DoctorDoLogin Code = "doctor_do_login"
	// Look whether the token is there, and whether the program of EMISSOR_SIGNER signs with it.
	DoctorDoSigning Code = "doctor_do_signing"
	// Set EMISSOR_CERTIFICATE_ROOTS to the file of ICP-Brasil's roots, and add the certificate with its whole chain.
	DoctorDoRoots Code = "doctor_do_roots"
	// Add a certificate of that CNPJ or CPF whose chain leads to ICP-Brasil, or see `emissor organization tax-ids`.
	DoctorDoTaxID Code = "doctor_do_tax_id"
	// See `emissor series check`; `emissor series release` releases it.
	DoctorDoHeld Code = "doctor_do_held"
	// Ask the city for others: `emissor fiscal-profile set --granted-numbers`.
	DoctorDoNumbers Code = "doctor_do_numbers"
	// `emissor municipality show` has what is known of the city; a worker with the ADN's address fetches it.
	DoctorDoCity Code = "doctor_do_city"
	// Classify them: the page Services, or `emissor service classify`.
	DoctorDoServices Code = "doctor_do_services"
	// Make one: the page Services, or POST /v1/services with a live key.
	DoctorDoService Code = "doctor_do_service"
	// Check the endpoint's address; then `emissor webhook test` sends a signed test call.
	DoctorDoEndpoint Code = "doctor_do_endpoint"
	// Enable it when it is ready: `emissor webhook enable`.
	DoctorDoEndpointOn Code = "doctor_do_endpoint_on"
	// Use the keyset that sealed it, or give the endpoint a new secret: `emissor webhook rotate`.
	DoctorDoRotate Code = "doctor_do_rotate"
	// `emissor organization list` has the ids.
	DoctorDoOrganization Code = "doctor_do_organization"
	// Run this again; if it stays, send this output to support.
	DoctorDoReport Code = "doctor_do_report"
)

// Codes of doctor_contact.tsv.
const (
	// The server {host} shows a certificate of {names}, issued by {issuer}, until {until}; its chain leads to {root}.
	DoctorTLSGood Code = "doctor_tls_good"
	// The server {host} shows a certificate of {names}, issued by {issuer}, from {from} until {until}; what it shows ends at the issuer {end}, and is not trusted: {why}.
	DoctorTLSFails Code = "doctor_tls_fails"
	// the HEAD of a document that does not exist
	DoctorCallExists Code = "doctor_call_exists"
	// the question about a number that nobody uses
	DoctorCallFind Code = "doctor_call_find"
	// {authority} answers {call}: there is none, as it has to be. Address, certificate and protocol are right.
	DoctorAbsentGood Code = "doctor_absent_good"
	// {authority} answers {call} that there is one: by its answers it is not known what exists.
	DoctorAbsentFound Code = "doctor_absent_found"
	// Nobody would know what became of a note, as {authority} does not answer {call}: {why}.
	DoctorAbsentFails Code = "doctor_absent_fails"
	// {authority} asks for the company's certificate when a connection begins; EMISSOR_AUTHORITY_TLS does not matter.
	DoctorAskedInHandshake Code = "doctor_asked_in_handshake"
	// {authority} asks for the company's certificate by TLS renegotiation, which EMISSOR_AUTHORITY_TLS allows.
	DoctorAskedByRenegotiation Code = "doctor_asked_by_renegotiation"
	// {authority} has answered questions without asking for the company's certificate.
	DoctorAskedNever Code = "doctor_asked_never"
	// {authority} has answered nothing, so that it was not seen how it asks for the certificate.
	DoctorAskedUnknown Code = "doctor_asked_unknown"
	// Nobody can be asked what the city has set: no address of the ADN is configured in {environment:environment}.
	DoctorADNMissing Code = "doctor_adn_missing"
	// The ADN answers: the convênio of the issuer's city is active, and its companies issue by the national system.
	DoctorConvenioGood Code = "doctor_convenio_good"
	// The ADN answers: the convênio of the issuer's city is active, and the city has a system of its own.
	DoctorConvenioOwn Code = "doctor_convenio_own"
	// The ADN answers: the issuer's city has no active convênio; what it sets is not known, and the ISS rate is sent.
	DoctorConvenioAbsent Code = "doctor_convenio_absent"
	// Notes go on, but the ADN does not say what the issuer's city has set: {why}.
	DoctorConvenioFails Code = "doctor_convenio_fails"
	// The ADN answers the parameters of the service {service} in the issuer's city; rates: {rates}.
	DoctorParametersGood Code = "doctor_parameters_good"
	// No active live service has a national tax code, so that no parameters were asked for.
	DoctorParametersNone Code = "doctor_parameters_none"
	// none
	DoctorNoRates Code = "doctor_no_rates"
	// {authority} knows the company under its municipal registration, and lets it issue notes.
	DoctorRegistrationGood Code = "doctor_registration_good"
	// {authority} does not know the company under the profile's municipal registration; it knows {others} of it.
	DoctorRegistrationUnknown Code = "doctor_registration_unknown"
	// {authority} knows the company's municipal registration, and does not let it issue notes.
	DoctorRegistrationNotIssuing Code = "doctor_registration_not_issuing"
	// {authority} does not say whether the company is registered: {why}.
	DoctorRegistrationFails Code = "doctor_registration_fails"
	// {authority} offers no question about a company's registration: the first note shows it, as by E0116 and E0120.
	DoctorRegistrationNotAsked Code = "doctor_registration_not_asked"
	// The last document is signed by {signer}, which leads to the configured roots; it is one of EMISSOR_NATIONAL_DOCUMENT_SIGNERS.
	DoctorSignerGood Code = "doctor_signer_good"
	// The last document is signed by {signer}, which leads to the configured roots; nobody checks that.
	DoctorSignerTrusted Code = "doctor_signer_trusted"
	// The last document is signed by {signer}, which is none of EMISSOR_NATIONAL_DOCUMENT_SIGNERS.
	DoctorSignerAnother Code = "doctor_signer_another"
	// The last document is signed by {signer}, which leads to no configured root ({why}): the chain ends at the issuer {end}.
	DoctorSignerEnds Code = "doctor_signer_ends"
	// The signature of the last document does not verify: {why}.
	DoctorSignerUnread Code = "doctor_signer_unread"
	// Of the company's authority no document is stored yet: run this again after its first note.
	DoctorSignerNone Code = "doctor_signer_none"
	// The last document bears no signature of {authority}: nothing can be checked by it.
	DoctorSignerUnsigned Code = "doctor_signer_unsigned"
	// Put the certificate of {end} into the file of EMISSOR_AUTHORITY_CA, once you know that it is theirs.
	DoctorDoTLSRoot Code = "doctor_do_tls_root"
	// Correct the address: it names a host that the certificate is not for.
	DoctorDoTLSHost Code = "doctor_do_tls_host"
	// Compare the dates with the clock here; if it is right, wait for the authority to renew its certificate.
	DoctorDoTLSDates Code = "doctor_do_tls_dates"
	// The host does not let this certificate in: compare its chain and its dates, or add another one.
	DoctorDoShutOut Code = "doctor_do_shut_out"
	// That is no answer of the authority: compare the address with its base path, and look for a pause on its site.
	DoctorDoPath Code = "doctor_do_path"
	// Issue nothing there, and report it.
	DoctorDoReportAnswer Code = "doctor_do_report_answer"
	// Ask the city; where it stays so, give the services their rates and set --inactive-municipality.
	DoctorDoConvenio Code = "doctor_do_convenio"
	// Correct --municipal-registration of the fiscal profile, or ask the city for the permission to issue.
	DoctorDoRegistration Code = "doctor_do_registration"
	// Put the certificate of {end} into the file of EMISSOR_CERTIFICATE_ROOTS, once you know that it is theirs.
	DoctorDoSignerRoot Code = "doctor_do_signer_root"
	// Name the signer's host in EMISSOR_NATIONAL_DOCUMENT_SIGNERS, as www.nfse.gov.br, once you know that it is theirs.
	DoctorDoSigners Code = "doctor_do_signers"
)

// Codes of doctor_organizations.tsv.
const (
	// There is no such organization.
	DoctorOrganizationGone Code = "doctor_organization_gone"
	// The fiscal profile is complete: {authority}, series {series}, {environment:environment}.
	DoctorProfileGood Code = "doctor_profile_good"
	// There is no fiscal profile: this organization issues no live notes.
	DoctorProfileMissing Code = "doctor_profile_missing"
	// The fiscal profile on record cannot be read.
	DoctorProfileUnreadable Code = "doctor_profile_unreadable"
	// The authority's rules refuse the fiscal profile, field {field}: {why}.
	DoctorProfileWrong Code = "doctor_profile_wrong"
	// The certificate {certificate} opens, is the issuer's, leads to ICP-Brasil's roots and ends on {until}, in {days} days.
	DoctorCertificateGood Code = "doctor_certificate_good"
	// The certificate {certificate} ends on {until}, in {days} days.
	DoctorCertificateEnds Code = "doctor_certificate_ends"
	// No certificate can be used: {why}.
	DoctorCertificateNone Code = "doctor_certificate_none"
	// The certificate {certificate} is none that the authority takes: {why}.
	DoctorCertificateRefused Code = "doctor_certificate_refused"
	// It is not known who issued the certificate {certificate}: {why}.
	DoctorCertificateChain Code = "doctor_certificate_chain"
	// The certificate {certificate} is of another establishment of the company: whether the authority takes it is not settled.
	DoctorCertificateBranch Code = "doctor_certificate_branch"
	// The certificate {certificate} opens, but {why}.
	DoctorSigningFails Code = "doctor_signing_fails"
	// The program of EMISSOR_SIGNER signs with the key of the certificate {certificate}.
	DoctorSigningGood Code = "doctor_signing_good"
	// The company's user and password with its city open, and go with each call.
	DoctorLoginGood Code = "doctor_login_good"
	// No user and password of the city are kept: the company is known by its certificate alone.
	DoctorLoginNone Code = "doctor_login_none"
	// The issuer's CNPJ or CPF is the organization's.
	DoctorTaxIDShown Code = "doctor_tax_id_shown"
	// It is not shown that the issuer's CNPJ or CPF is the organization's.
	DoctorTaxIDNot Code = "doctor_tax_id_not"
	// Nothing holds the series {series}.
	DoctorSeriesGood Code = "doctor_series_good"
	// The series {series} is held: {why}.
	DoctorSeriesHeld Code = "doctor_series_held"
	// {left} of the numbers that the city has granted are left.
	DoctorNumbersFew Code = "doctor_numbers_few"
	// The fiscal profile has notes issued whatever cities have set in the national system.
	DoctorCityIgnored Code = "doctor_city_ignored"
	// All {services} active live services are ready.
	DoctorServicesGood Code = "doctor_services_good"
	// {lacking} of {services} active live services lack something, as a classification: {which}.
	DoctorServicesLack Code = "doctor_services_lack"
	// {service} ({defect:lacks})
	DoctorServiceLacks Code = "doctor_service_lacks"
	// There is no active live service.
	DoctorServicesNone Code = "doctor_services_none"
	// The {environment:purpose} endpoint {endpoint} at {host} is reached.
	DoctorEndpointGood Code = "doctor_endpoint_good"
	// The {environment:purpose} endpoint {endpoint} at {host} is not reached: {why}.
	DoctorEndpointFails Code = "doctor_endpoint_fails"
	// The {environment:purpose} endpoint {endpoint} is disabled: nothing is sent to it.
	DoctorEndpointOff Code = "doctor_endpoint_off"
	// The secret of the {environment:purpose} endpoint {endpoint} does not open: nothing can be signed for it.
	DoctorEndpointClosed Code = "doctor_endpoint_closed"
	// There is no webhook endpoint.
	DoctorEndpointsNone Code = "doctor_endpoints_none"
)

// Codes of documents.tsv.
const (
	// is not base64
	DocumentNotBase64 Code = "document_not_base64"
	// is not gzip
	DocumentNotGzip Code = "document_not_gzip"
	// is cut or damaged
	DocumentDamaged Code = "document_damaged"
	// is not the XML it should be
	DocumentNotTheXML Code = "document_not_the_xml"
	// goes on after its end
	DocumentGoesOn Code = "document_goes_on"
	// is larger than {mib} MiB
	DocumentTooLarge Code = "document_too_large"
	// is too deep: more than {most} elements within each other
	DocumentTooDeep Code = "document_too_deep"
	// has more than {most} elements
	DocumentTooManyElements Code = "document_too_many_elements"
	// has an element of more than {most} attributes
	DocumentTooManyAttributes Code = "document_too_many_attributes"
	// declares more than {most} namespaces
	DocumentTooManyNamespaces Code = "document_too_many_namespaces"
)

// Codes of emails.tsv.
const (
	// {step:mail_step} failed: {why}
	MailStepFailed Code = "mail_step_failed"
	// the server answers without end
	MailServerEndless Code = "mail_server_endless"
	// the server does not offer STARTTLS
	MailServerWithoutSTARTTLS Code = "mail_server_without_starttls"
	// the server offers neither PLAIN nor LOGIN
	MailServerWithoutLogin Code = "mail_server_without_login"
	// the server does not offer XOAUTH2
	MailServerWithoutXOAUTH2 Code = "mail_server_without_xoauth2"
	// the e-mail address is not one
	MailAddressWrong Code = "mail_address_wrong"
	// there is no URL for alarms any more (EMISSOR_ALERTS_URL)
	AlarmsWithoutURL Code = "alarms_without_url"
	// the customer's e-mail address is not one
	CustomerAddressWrong Code = "customer_address_wrong"
	// {step:mail_step} failed
	MailStepBroke Code = "mail_step_broke"
	// {step:mail_step} failed with {status}
	MailStepRefused Code = "mail_step_refused"
	// sending failed
	MailNotSent Code = "mail_not_sent"
	// given up at once: {why}
	EmailGivenUpAtOnce Code = "email_given_up_at_once"
	// no SMTP server is configured
	EmailWithoutServer Code = "email_without_server"
	// the document is in the archive, which does not answer now
	EmailDocumentAway Code = "email_document_away"
	// the customer has no e-mail address
	EmailWithoutAddress Code = "email_without_address"
	// the document is no longer kept
	EmailWithoutDocument Code = "email_without_document"
	// who was to be told may not see it any more, or does not want to be told
	AlertsUnwanted Code = "alerts_unwanted"
)

// Codes of external_events.tsv.
const (
	// cancelled
	ExternalCancelled Code = "external_cancelled"
	// cancelled by substitution
	ExternalCancelledBySubstitution Code = "external_cancelled_by_substitution"
	// analysis for a cancellation requested
	ExternalAnalysisRequested Code = "external_analysis_requested"
	// cancelled after an analysis
	ExternalCancelledAfterAnalysis Code = "external_cancelled_after_analysis"
	// cancellation denied after an analysis
	ExternalDeniedAfterAnalysis Code = "external_denied_after_analysis"
	// cancelled by the city
	ExternalCancelledByCity Code = "external_cancelled_by_city"
	// blocked by the city
	ExternalBlocked Code = "external_blocked"
	// block lifted by the city
	ExternalUnblocked Code = "external_unblocked"
	// confirmed by the provider
	ExternalConfirmedByProvider Code = "external_confirmed_by_provider"
	// confirmed by the taker
	ExternalConfirmedByTaker Code = "external_confirmed_by_taker"
	// confirmed by the intermediary
	ExternalConfirmedByIntermediary Code = "external_confirmed_by_intermediary"
	// confirmed tacitly
	ExternalConfirmedTacitly Code = "external_confirmed_tacitly"
	// rejected by the provider
	ExternalRejectedByProvider Code = "external_rejected_by_provider"
	// rejected by the taker
	ExternalRejectedByTaker Code = "external_rejected_by_taker"
	// rejected by the intermediary
	ExternalRejectedByIntermediary Code = "external_rejected_by_intermediary"
	// rejection annulled
	ExternalRejectionAnnulled Code = "external_rejection_annulled"
	// included in a collection document
	ExternalInCollection Code = "external_in_collection"
	// taxes collected
	ExternalTaxesCollected Code = "external_taxes_collected"
	// cancelled at the authority, found by asking
	ExternalFoundCancelled Code = "external_found_cancelled"
	// event {type} {label}
	ExternalOther Code = "external_other"
	// entry
	ExternalEntry Code = "external_entry"
	// on record
	EffectNone Code = "effect_none"
	// to be applied
	EffectToCome Code = "effect_to_come"
	// the note is cancelled
	EffectCancels Code = "effect_cancels"
	// the note is cancelled, as it was asked for here
	EffectCancelsAsAsked Code = "effect_cancels_as_asked"
	// confirms that the note {note} has replaced this one
	EffectConfirmsReplacement Code = "effect_confirms_replacement"
	// the city denies the cancellation: the note stays issued
	EffectDeniesCancellation Code = "effect_denies_cancellation"
	// no effect: the note is {status:status} already
	EffectTooLate Code = "effect_too_late"
	// no cancellation by the issuer is taken until this is lifted
	EffectBlocksCancellation Code = "effect_blocks_cancellation"
	// blocks before it are lifted
	EffectUnblocksCancellation Code = "effect_unblocks_cancellation"
	// what the ADN distributed cannot be read: it {why}
	ExternalUnread Code = "external_unread"
	// the event is of the other environment (tpAmb)
	ExternalOfOtherEnvironment Code = "external_of_other_environment"
	// the signature makes this program fail
	ExternalSignatureFails Code = "external_signature_fails"
	// what was distributed cannot be stored: {why}
	ExternalNotStored Code = "external_not_stored"
	// an event outside ({title}) is not applied: {why}
	ExternalNotApplied Code = "external_not_applied"
	// a document of this note exists at the authority that is not on record: number {number} of series {series}, access key {access_key}
	ExternalDocumentNotOnRecord Code = "external_document_not_on_record"
	// is about not one event
	UnreadTwoEvents Code = "unread_two_events"
	// could be read in two ways
	UnreadAmbiguous Code = "unread_ambiguous"
	// has a sequence (nSeqEvento) that is no number from 1 to 999
	UnreadSequence Code = "unread_sequence"
	// has a moment (dhProc, dhEvento) that is no date
	UnreadMoment Code = "unread_moment"
	// names no access key (chNFSe)
	UnreadAccessKey Code = "unread_access_key"
	// is named as another one (Id)
	UnreadID Code = "unread_id"
	// makes this program fail
	UnreadFails Code = "unread_fails"
	// the database refuses it ({code})
	RefusedByDatabase Code = "refused_by_database"
	// this program fails over it
	RefusedByProgram Code = "refused_by_program"
	// its access key is no text
	RefusedByAccessKey Code = "refused_by_access_key"
)

// Codes of groups.tsv.
const (
	// The layout of the authority cannot carry as it is given: {field:detail}.
	DetailRefused Code = "detail_refused"
	// The note cannot replace the other one as it is.
	ReplacementRefused Code = "replacement_refused"
	// The note that replaces another one may not change its {field:detail}.
	ReplacementChanges Code = "replacement_changes"
	// The customer abroad cannot be sent as it is.
	ForeignTakerRefused Code = "foreign_taker_refused"
	// ISS is to be withheld, but the customer is abroad.
	WithheldByForeignTaker Code = "withheld_by_foreign_taker"
	// The intermediary cannot be sent as it is.
	IntermediaryRefused Code = "intermediary_refused"
	// The supplier of a document that is deducted cannot be sent as it is.
	SupplierRefused Code = "supplier_refused"
	// The construction work cannot be sent with this service.
	WorkRefused Code = "work_refused"
	// The event cannot be sent with this service.
	EventRefused Code = "event_refused"
	// What the service has to do with another country cannot be sent as it is.
	ForeignTradeRefused Code = "foreign_trade_refused"
	// The discount must be above zero and below the price.
	DiscountRefused Code = "discount_refused"
	// The deduction cannot be sent with this note.
	DeductionRefused Code = "deduction_refused"
	// A reduction in percent cannot go beside another one: the authority's rules compute it in two ways. State it as an amount.
	PercentBesideReduction Code = "percent_beside_reduction"
	// Discounts, deductions, benefits and withheld taxes take too much from the price.
	ReducedTooFar Code = "reduced_too_far"
	// How the ISS is due does not go with the rest of the note.
	ISSTreatmentRefused Code = "iss_treatment_refused"
	// ISS is to be withheld, but none is due of this service.
	WithheldOfUntaxed Code = "withheld_of_untaxed"
	// ISS is to be withheld, but it is suspended.
	WithheldOfSuspended Code = "withheld_of_suspended"
	// The municipal benefit does not go with the rest of the note.
	BenefitRefused Code = "benefit_refused"
	// The property of the classification does not go with this service.
	PropertyRefused Code = "property_refused"
	// As far as is known, this note would be refused: {why} ({code})
	WouldBeRefused Code = "would_be_refused"
	// E0370: services of the national tax code {tax_code} need the construction work that they are for: name one for the customer or the service
	WorkMissing Code = "work_missing"
	// E0390: services of the national tax code {tax_code} need the event that they are for: name one for the service
	EventMissing Code = "event_missing"
	// the construction work {work}, which is set for the customer or the service, is closed: set another one
	WorkClosed Code = "work_closed"
	// the event {event}, which is set for the service, is closed: set another one
	EventClosed Code = "event_closed"
	// the construction work of the note lacks {field:detail}
	WorkLacks Code = "work_lacks"
	// the event of the note lacks {field:detail}
	EventLacks Code = "event_lacks"
	// E0318: a service that has to do with another country needs an NBS code, and the service {service} has no classification: give it one with emissor service classify
	NBSMissing Code = "nbs_missing"
	// {rule}: a service that has to do with another country must say {field:detail}
	ForeignTradeLacks Code = "foreign_trade_lacks"
	// {rule}: how the ISS is due is not wholly stated: {field:detail} is missing
	ISSTreatmentLacks Code = "iss_treatment_lacks"
	// E0537: by its parameters the city that the ISS is due to, {municipality}, has no active agreement with the national system, where it could grant a benefit. {if_wrong}
	BenefitOfInactiveCity Code = "benefit_of_inactive_city"
)

// Codes of profiles.tsv.
const (
	// is no CPF or CNPJ with right check digits
	MustBeTaxID Code = "must_be_tax_id"
	// must be the 7-digit IBGE code of a municipality
	MustBeMunicipality Code = "must_be_municipality"
	// must be 7-digit IBGE codes of municipalities, which {quoted} is not
	MustBeMunicipalities Code = "must_be_municipalities"
	// must have 1 to 15 letters, digits, dots, hyphens or slashes
	RegistrationForm Code = "registration_form"
	// is to be sent, but there is none
	RegistrationToSendMissing Code = "registration_to_send_missing"
	// must be none, mei or me
	SimplesUnknown Code = "simples_unknown"
	// is required of an ME or EPP (simples me): 1, 2 or 3
	SimplesRegimeRequired Code = "simples_regime_required"
	// is only for an ME or EPP (simples me)
	SimplesRegimeForbidden Code = "simples_regime_forbidden"
	// must be 1, 2 or 3
	SimplesRegimeUnknown Code = "simples_regime_unknown"
	// must be 0 to 6, or 9
	SpecialRegimeUnknown Code = "special_regime_unknown"
	// must be 0 for an MEI (simples mei)
	SpecialRegimeOfMEI Code = "special_regime_of_mei"
	// must be 0 for an ME or EPP whose taxes are all assessed within Simples (simples_regime 1)
	SpecialRegimeWithinSimples Code = "special_regime_within_simples"
	// must be from 1 to 49999, the range of an issuer's own software
	SeriesOutOfRange Code = "series_out_of_range"
	// must be from 0 to 100.00 percent
	TaxesOutOfRange Code = "taxes_out_of_range"
	// must be at most 100.00 percent together
	TaxesTogetherTooHigh Code = "taxes_together_too_high"
	// of Simples must be at most 99.99 percent
	TaxesOfSimplesTooHigh Code = "taxes_of_simples_too_high"
	// must not be given for an MEI (simples mei)
	TaxesOfMEI Code = "taxes_of_mei"
	// must be the one percentage of Simples for an ME or EPP (simples me)
	TaxesMustBeOfSimples Code = "taxes_must_be_of_simples"
	// must be federal, state and municipal for an issuer outside Simples (simples none)
	TaxesMustNotBeOfSimples Code = "taxes_must_not_be_of_simples"
)

// Codes of refusals.tsv.
const (
	// The organization's fiscal profile cannot be issued with: {field} {why}.
	ProfileRefused Code = "profile_refused"
	// The classification of the service cannot be sent: {field} {why}.
	ClassificationRefused Code = "classification_refused"
	// The amount is out of range.
	AmountOutOfRange Code = "amount_out_of_range"
	// {field} has no character that a fiscal document can carry.
	TextNotPrintable Code = "text_not_printable"
	// {field} has {characters} characters, and a fiscal document carries at most {most}.
	TextTooLong Code = "text_too_long"
	// The service has no national tax code.
	NationalTaxCodeMissing Code = "national_tax_code_missing"
	// The national tax code {tax_code} is not on the national list of services.
	NationalTaxCodeUnknown Code = "national_tax_code_unknown"
	// The place of the service is not a 7-digit municipality code.
	PlaceInvalid Code = "place_invalid"
	// ISS is to be withheld, but the organization is an MEI.
	WithheldFromMEI Code = "withheld_from_mei"
	// ISS is to be withheld, but the organization has a special regime.
	WithheldUnderSpecialRegime Code = "withheld_under_special_regime"
	// ISS is to be withheld, but the service is a road concession.
	WithheldOfRoadConcession Code = "withheld_of_road_concession"
	// The ISS rate must be sent here, and the service has none.
	RateMissing Code = "rate_missing"
	// The ISS rate of {rate} percent is above 5.
	RateTooHigh Code = "rate_too_high"
	// The ISS rate must be above 0 here.
	RateZero Code = "rate_zero"
	// The ISS rate of {rate} percent is under 1.80, the least that can be withheld.
	RateTooLowToWithhold Code = "rate_too_low_to_withhold"
	// The customer's CNPJ is not valid.
	CustomerCNPJInvalid Code = "customer_cnpj_invalid"
	// The customer's CPF is not valid.
	CustomerCPFInvalid Code = "customer_cpf_invalid"
	// The customer is the issuing organization itself.
	CustomerIsIssuer Code = "customer_is_issuer"
	// The customer's municipality is not a 7-digit code.
	CustomerMunicipalityInvalid Code = "customer_municipality_invalid"
	// The customer's zip code does not have 8 digits.
	CustomerZipCodeInvalid Code = "customer_zip_code_invalid"
	// The customer withholds the ISS, and the address lacks {field}.
	AddressLacksToWithhold Code = "address_lacks_to_withhold"
	// The ISS is due to the customer's city, and the address lacks {field}.
	AddressLacksForISS Code = "address_lacks_for_iss"
	// The operation takes place at the customer's (cIndOp {indicator}), and the address lacks {field}.
	AddressLacksForOperation Code = "address_lacks_for_operation"
	// E0015: the day of competence, {day}, has not begun by this machine's clock, which says {today}: check the clocks of the machine and of the database
	CompetenceNotBegun Code = "competence_not_begun"
	// the authority requires IBS and CBS of notes from {from} on, and the service {service} has no classification: give it one with emissor service classify
	ClassificationRequired Code = "classification_required"
	// the classification tables could not be read: {why}
	ClassificationTablesUnread Code = "classification_tables_unread"
	// {rule}: by its parameters ({parameter}) the issuer's city, {municipality}, {why}. The note goes on by itself when they change. {if_wrong}
	CityRefuses Code = "city_refuses"
	// has no active agreement with the national system
	CityHasNoAgreement Code = "city_has_no_agreement"
	// issues on a system of its own
	CityHasOwnSystem Code = "city_has_own_system"
	// lets no company outside Simples Nacional issue on the national system
	CityLetsNobodyIssue Code = "city_lets_nobody_issue"
	// convênio not active
	AgreementNotActive Code = "agreement_not_active"
	// {rule}: by its parameters the city that the ISS is due to, {municipality}, has no active agreement with the national system, so that the ISS rate must be sent, and the note's service has none. Cancel the note, give the service its iss_rate and issue again. {if_wrong}
	CityNeedsRate Code = "city_needs_rate"
	// If the parameters are wrong: emissor municipality show {municipality} says what is known since when, emissor municipality refresh {municipality} --environment {environment} has them fetched again, and emissor fiscal-profile set --ignore-municipal-parameters goes on without them.
	CityParametersWrong Code = "city_parameters_wrong"
	// the zip code of the customer belongs to another municipality than the one declared
	MunicipalityConflict Code = "municipality_conflict"
	// The look-up of the zip code was out when the note was accepted. Made afterwards, it named another municipality, so nothing was sent to the authority.
	MunicipalityConflictExplained Code = "municipality_conflict_explained"
	// Correct the zip code or the municipality code of the customer, then issue again with a new reference.
	MunicipalityConflictAction Code = "municipality_conflict_action"
	// the authority takes no cancellations from programs
	CancellationNotOffered Code = "cancellation_not_offered"
	// The authority that issued the note has no way for a program to cancel it, so it was not asked.
	CancellationNotOfferedExplained Code = "cancellation_not_offered_explained"
	// Cancel the note on the authority's own site; of a city, in its portal of the NFS-e.
	CancellationNotOfferedAction Code = "cancellation_not_offered_action"
	// the note is blocked by the city
	NoteBlocked Code = "note_blocked"
	// the note is blocked by the city: {words}
	NoteBlockedBecause Code = "note_blocked_because"
	// The city has blocked the cancellation of this note at the national system (event 305102), so the authority was not asked.
	NoteBlockedExplained Code = "note_blocked_explained"
	// Ask the city to lift the block; then cancel again.
	NoteBlockedAction Code = "note_blocked_action"
	// the city has denied the cancellation after an analysis
	AnalysisDenied Code = "analysis_denied"
	// the city has denied the cancellation after an analysis: {words}
	AnalysisDeniedBecause Code = "analysis_denied_because"
	// A note has one analysis only, and the city has denied this one (event 105105). The national system takes no other request to cancel the note.
	AnalysisDeniedExplained Code = "analysis_denied_explained"
	// The note stays issued. Only the city can still cancel it, by office: ask at the city hall, by an administrative procedure.
	AnalysisDeniedAction Code = "analysis_denied_action"
	// Emissor checked this itself: nothing was sent to the authority.
	CheckedHere Code = "checked_here"
	// (Simulated: this note asked for a rejection.)
	RejectionSimulated Code = "rejection_simulated"
)

// Codes of refusals_sao_paulo.tsv.
const (
	// The service has no municipal tax code.
	MunicipalTaxCodeMissing Code = "municipal_tax_code_missing"
	// The municipal tax code does not have 4 or 5 digits.
	MunicipalTaxCodeForm Code = "municipal_tax_code_form"
	// The municipal tax code has less than 4 digits behind its zeros, which are not sent.
	MunicipalTaxCodeTooShort Code = "municipal_tax_code_too_short"
	// The service does not say where it is taxed.
	MunicipalTaxationMissing Code = "municipal_taxation_missing"
	// The municipal taxation is neither T nor F.
	MunicipalTaxationUnknown Code = "municipal_taxation_unknown"
	// The service is taxed elsewhere (F), and its place is Sao Paulo.
	TaxedElsewhereInTheCity Code = "taxed_elsewhere_in_the_city"
	// The service is taxed elsewhere (F), and has no ISS rate.
	TaxedElsewhereWithoutRate Code = "taxed_elsewhere_without_rate"
	// The ISS rate is not from 2 to 5 percent.
	CityRateOutOfRange Code = "city_rate_out_of_range"
	// The customer has a CNPJ, and its address lacks the street.
	CompanyAddressLacksStreet Code = "company_address_lacks_street"
	// The customer has a CNPJ, and its address lacks the number.
	CompanyAddressLacksNumber Code = "company_address_lacks_number"
	// The customer has a CNPJ, and its address lacks the district.
	CompanyAddressLacksDistrict Code = "company_address_lacks_district"
	// The service is classified as a purchase of the government, and the customer has a CPF.
	GovernmentWithCPF Code = "government_with_cpf"
	// The ISS is to be withheld by a person.
	WithheldByPerson Code = "withheld_by_person"
	// The ISS is to be withheld, and by the fiscal profile it is taxed by the letter {letter}.
	WithheldOfLetter Code = "withheld_of_letter"
	// The indicator of the operation {indicator} needs a description of the event.
	OperationEventNotDescribed Code = "operation_event_not_described"
	// The note has a discount, and the city's layout has no element for one: lower the price instead.
	CityHasNoDiscounts Code = "city_has_no_discounts"
	// The note deducts by documents, and the city's layout has the amount alone: state that.
	CityHasNoDeductionDocuments Code = "city_has_no_deduction_documents"
	// How the ISS is due is set for this note, and the city takes that by the letter of taxation in the fiscal profile alone: take it away there, and set the letter.
	CityTakesISSByLetter Code = "city_takes_iss_by_letter"
	// Of an export the city's layout states that it is one, and the country where it is rendered: take the rest of what is said about another country away.
	CityHasNoForeignTrade Code = "city_has_no_foreign_trade"
	// The note is to replace another one, and the city's layout has no replacement: cancel the other, and issue anew.
	CityHasNoReplacement Code = "city_has_no_replacement"
	// The city's layout names a construction work by its CNO or CEI, 12 digits, and by nothing else.
	CityWorkByRegistration Code = "city_work_by_registration"
	// The check digit of the construction work's CNO or CEI is wrong.
	CityWorkRegistrationInvalid Code = "city_work_registration_invalid"
	// The work or event of the note is in another city than the place of its service.
	CitySiteElsewhere Code = "city_site_elsewhere"
	// The city's layout names an event by its address in Brazil, whole and printable, and by nothing else.
	CityEventByAddress Code = "city_event_by_address"
	// The city's layout takes no intermediary without a CPF or CNPJ.
	CityIntermediaryAbroad Code = "city_intermediary_abroad"
	// The ISS is to be withheld by the customer, and the note has an intermediary.
	CityTakerWithholdsBesideIntermediary Code = "city_taker_withholds_beside_intermediary"
	// The amount is not more than 0.
	AmountNotPositive Code = "amount_not_positive"
	// the fiscal profile cannot be issued with by the city of Sao Paulo: {field} {why}
	CityProfileRefused Code = "city_profile_refused"
	// the fiscal profile says --environment restricted, and the city of Sao Paulo has no test system: emissor fiscal-profile check validates without issuing, --environment production issues
	CityHasNoTestSystem Code = "city_has_no_test_system"
	// the service has no classification for IBS and CBS, which layout 2 requires: give it by emissor service classify
	CityClassificationMissing Code = "city_classification_missing"
	// the classification of the service does not say whether it is for personal use (indFinal, 293), which layout 2 requires: give it by emissor service classify
	CityClassificationUnsaid Code = "city_classification_unsaid"
	// the classification of the service cannot be sent: {field} {why} ({rule}): give it by emissor service classify
	CityClassificationRefused Code = "city_classification_refused"
	// {indicator} is not in Annex VII as the city goes by it
	CityIndicatorUnknown Code = "city_indicator_unknown"
	// {class_trib} requires a deferral, which the city's layout has not
	CityClassTribDeferred Code = "city_class_trib_deferred"
	// must not be given: the city's layout has no deferral
	CityHasNoDeferral Code = "city_has_no_deferral"
	// must not be given: the city's layout has no presumed credit
	CityHasNoPresumedCredit Code = "city_has_no_presumed_credit"
	// must be given with tp-ente-gov
	CityOperationMissing Code = "city_operation_missing"
	// and the other parts of a property must not be given with the cIndOp {indicator}: they are for those that begin with 02
	CityPropertyForbidden Code = "city_property_forbidden"
	// must be given, in characters that documents carry
	MustBePrintable Code = "must_be_printable"
	// must be {municipality}: the city of Sao Paulo issues for its own companies
	CityIsAnother Code = "city_is_another"
	// is required by the city of Sao Paulo: the company's CCM
	CityRegistrationRequired Code = "city_registration_required"
	// must be the company's CCM: 1 to 12 digits, and no others
	CityRegistrationForm Code = "city_registration_form"
	// must be from 1 to {most}
	CitySeriesOutOfRange Code = "city_series_out_of_range"
	// must be one of {letters}: how services that are taxed in the city are taxed
	CityTaxationInsideUnknown Code = "city_taxation_inside_unknown"
	// must be one of {letters}: how services that are taxed elsewhere are taxed
	CityTaxationOutsideUnknown Code = "city_taxation_outside_unknown"
	// must be none: the city of Sao Paulo does not issue for companies of Simples Nacional any more (641), which issue through the national system (authority national)
	CityIssuesOutsideSimples Code = "city_issues_outside_simples"
)

// Codes of said.tsv.
const (
	// “{words}”
	Said Code = "said"
)

// Codes of secrets.tsv.
const (
	// no keyset is configured: set EMISSOR_KEYSET_FILE or EMISSOR_KEYSET
	KeysetMissing Code = "keyset_missing"
	// a secret does not open: it was sealed under another keyset, or for another owner
	SecretDoesNotOpen Code = "secret_does_not_open"
	// what is sealed of {certificate} is not a key and its certificate
	SealedCertificateWrong Code = "sealed_certificate_wrong"
)

// Codes of signatures.tsv.
const (
	// the authority's signature does not verify: {why}
	SignatureNotVerified Code = "signature_not_verified"
	// the authority's signature is of something else
	SignatureOfSomethingElse Code = "signature_of_something_else"
	// the signature is not the authority's: who made it is none of the configured signers
	SignatureOfNoSigner Code = "signature_of_no_signer"
	// the authority's signature verifies, but not who made it: {why}
	SignatureNotTrusted Code = "signature_not_trusted"
	// the event's signature cannot be verified: {why}
	SignatureOfEventUnread Code = "signature_of_event_unread"
	// the document is not well-formed XML
	SignedNotXML Code = "signed_not_xml"
	// the document {why}
	SignedBeyondBounds Code = "signed_beyond_bounds"
	// the document declares a document type
	SignedDocumentType Code = "signed_document_type"
	// the document has a processing instruction
	SignedInstruction Code = "signed_instruction"
	// the document has attributes of xml itself
	SignedXMLAttributes Code = "signed_xml_attributes"
	// an Id occurs twice in the document
	SignedIDTwice Code = "signed_id_twice"
	// the document has several signatures
	SignedSeveralTimes Code = "signed_several_times"
	// the document is not signed
	SignedByNobody Code = "signed_by_nobody"
	// the document was changed after it was signed
	SignedThenChanged Code = "signed_then_changed"
	// it signs another element than the document's first
	SignatureOfAnotherElement Code = "signature_of_another_element"
	// it signs nothing before it
	SignatureOfNothing Code = "signature_of_nothing"
	// there is a comment in it
	SignatureHasComment Code = "signature_has_comment"
	// the signed element cannot be canonicalized
	SignatureElementNotCanonical Code = "signature_element_not_canonical"
	// its SignedInfo cannot be canonicalized
	SignatureInfoNotCanonical Code = "signature_info_not_canonical"
	// its algorithm ({part}) is not allowed
	SignatureAlgorithm Code = "signature_algorithm"
	// its transforms are not allowed
	SignatureTransforms Code = "signature_transforms"
	// it does not say how the signed element is canonicalized
	SignatureWithoutCanonicalization Code = "signature_without_canonicalization"
	// it has several {part}
	SignatureHasSeveral Code = "signature_has_several"
	// it has no {part}
	SignatureHasNo Code = "signature_has_no"
	// its {part} is not base64
	SignaturePartNotBase64 Code = "signature_part_not_base64"
	// the signer's key is not RSA
	SignerKeyNotRSA Code = "signer_key_not_rsa"
	// it was not made with the key of its certificate
	SignerKeyAnother Code = "signer_key_another"
	// its certificate has a key of more than {bits} bits
	SignerKeyTooLarge Code = "signer_key_too_large"
	// its certificate cannot be read
	SignerCertificateUnread Code = "signer_certificate_unread"
	// it comes without a certificate
	SignerCertificateMissing Code = "signer_certificate_missing"
	// the signer's certificate was not valid at the time
	SignerCertificateNotValidThen Code = "signer_certificate_not_valid_then"
	// the signer's certificate is not of a configured root
	SignerCertificateNotTrusted Code = "signer_certificate_not_trusted"
	// the signer's certificate leads to no root that is known: the certificate of {root} is missing
	SignerRootMissing Code = "signer_root_missing"
)

// Codes of steps.tsv.
const (
	// accepted (queued)
	NoteAccepted Code = "note_accepted"
	// processing
	NoteProcessing Code = "note_processing"
	// issued
	NoteIssued Code = "note_issued"
	// rejected by |{source:rejecting}: {code}
	NoteRejected Code = "note_rejected"
	// cancelled
	NoteCancelled Code = "note_cancelled"
	// cancellation requested, |reason {reason}
	CancellationRequested Code = "cancellation_requested"
	// cancellation refused: |{code}
	CancellationRefused Code = "cancellation_refused"
	// analysis by the city requested
	AnalysisRequested Code = "analysis_requested"
	// analysis by the city requested |at once, as the company has set it
	AnalysisRequestedAtOnce Code = "analysis_requested_at_once"
	// the city has the request of analysis
	AnalysisPending Code = "analysis_pending"
	// is to replace the note |{note}, reason {reason}
	Replaces Code = "replaces"
	// replacement requested: |the note {note}, reason {reason}
	ReplacementRequested Code = "replacement_requested"
	// replaced |by the note {note}
	Replaced Code = "replaced"
	// not replaced: |the note {note} is {status:status}, and this one stays as it is
	NotReplaced Code = "not_replaced"
	// cancellation not needed
	CancellationNotNeeded Code = "cancellation_not_needed"
	// waits: |{why}
	Waits Code = "waits"
	// waits no longer
	WaitsNoMore Code = "waits_no_more"
	// started again
	StartedAgain Code = "started_again"
	// ALARM: {what}
	Alarm Code = "alarm"
	// started again |by an operator
	StartedAgainByOperator Code = "started_again_by_operator"
	// competence |{before} changed to {after}
	CompetenceChanged Code = "competence_changed"
	// corrected after the refusal |{code}: {auto_fix:auto_fix}; signed anew under the same number
	RefusalAutoFixed Code = "refusal_auto_fixed"
	// takes the present settings after the refusal |{code}
	SettingsTaken Code = "settings_taken"
	// takes the classification that its service was given since: cNBS {nbs}, cIndOp {c_ind_op}, cClassTrib {c_class_trib}
	ClassificationTaken Code = "classification_taken"
	// took the |DPS number {number} of series {series} ({authority}, {environment:environment})
	NumberTaken Code = "number_taken"
	// the DPS number |{number} of series {series} {state:number}
	NumberEnded Code = "number_ended"
	// signed |{message} with {certificate}
	MessageSigned Code = "message_signed"
	// authority: |{operation:call}: {outcome:outcome} ({duration_ms} ms)
	AuthorityCalled Code = "authority_called"
	// authority: |{operation:call}: {outcome:outcome}, {why} ({duration_ms} ms)
	AuthorityCalledInVain Code = "authority_called_in_vain"
	// authority: |{operation:call}, cut off
	AuthorityCallCutOff Code = "authority_call_cut_off"
	// event |{event} {type}
	EventMade Code = "event_made"
	// delivery |{delivery}, attempt of {duration_ms} ms: delivered
	DeliveryAttempted Code = "delivery_attempted"
	// delivery |{delivery}, attempt of {duration_ms} ms: {why}
	DeliveryAttemptedInVain Code = "delivery_attempted_in_vain"
	// delivery |{delivery} sent again
	DeliverySentAgain Code = "delivery_sent_again"
	// delivery |{delivery} failed: {why}
	DeliveryFailed Code = "delivery_failed"
	// delivery |{delivery} skipped: {why}
	DeliverySkipped Code = "delivery_skipped"
	// e-mail |{email} to the customer
	EmailMade Code = "email_made"
	// e-mail |{email} sent again
	EmailSentAgain Code = "email_sent_again"
	// e-mail |{email} sent
	EmailSent Code = "email_sent"
	// e-mail |{email} failed: {why}
	EmailFailed Code = "email_failed"
	// e-mail |{email} not sent: {why}
	EmailSkipped Code = "email_skipped"
	// ledger: |{kind:ledger}
	LedgerEntered Code = "ledger_entered"
	// outside, |at {at}: {title} (event {type}, {event}): {effect}
	ExternalHappened Code = "external_happened"
	// outside: |document {access_key}, number {number} of series {series}, linked by its {proof:proof}
	ExternalDocumentFound Code = "external_document_found"
)

// Codes of tax_ids.tsv.
const (
	// must be a CPF (11 digits) or a CNPJ (14 characters, digits or letters in the first 12)
	TaxIDForm Code = "tax_id_form"
	// has wrong check digits
	TaxIDCheckDigit Code = "tax_id_check_digit"
	// repeats one character and is not a real tax id
	TaxIDRepeated Code = "tax_id_repeated"
)

// Codes of waits.tsv.
const (
	// no tax authority is configured for live notes
	NoAuthority Code = "no_authority"
	// the organization has more of them than are started in a second; they go in turn, the oldest first
	AboveRate Code = "above_rate"
	// the notes of a series are sent one at a time; they go in turn, the oldest first
	InTurn Code = "in_turn"
	// to be started in the workflow engine
	ToBeStarted Code = "to_be_started"
	// the worker is not configured for the environment {environment:environment} of the authority "{authority}"
	EnvironmentNotServed Code = "environment_not_served"
	// the worker has no address of the ADN for this environment: EMISSOR_NATIONAL_PRODUCTION_ADN_URL, EMISSOR_NATIONAL_RESTRICTED_ADN_URL
	NoDistributionAddress Code = "no_distribution_address"
	// the organization has no fiscal profile: set one with `emissor fiscal-profile set`
	NoFiscalProfile Code = "no_fiscal_profile"
	// the issuer's CNPJ or CPF is not shown to be the organization's: add a certificate of it whose chain leads to a root certificate, or ask the operator (`emissor organization allow-tax-id`)
	TaxIDNotShown Code = "tax_id_not_shown"
	// the issuer's CNPJ or CPF belongs to another organization: ask the operator (`emissor organization allow-tax-id`)
	TaxIDOfAnother Code = "tax_id_of_another"
	// the authority asks for the layout {layout}, which this version does not have: upgrade
	LayoutUnknown Code = "layout_unknown"
	// the message to the authority cannot be built; the worker's log says why
	MessageNotBuilt Code = "message_not_built"
	// the authority would not take the note any more ({code}): {why}
	NoLongerTaken Code = "no_longer_taken"
	// the authority refuses the form of the document ({code}), however it is signed: check this machine's clock; it is tried again every hour
	FormRefused Code = "form_refused"
	// the authority refuses the document by its rule {code}: a person must put right what it is about, or cancel the note; it is tried again every hour
	RefusedByRule Code = "refused_by_rule"
	// the authority refuses the document by its rule {code} ({subject}), for what is of {whose:whose}: {act:act}; nothing was issued, the note is not rejected, and it goes on under the same reference
	RefusedForSettings Code = "refused_for_settings"
	// the authority refuses by its rule {code}, which was false in outages and before its registers are filled: the same document is sent again by itself, each time after a question, before a person is asked
	RefusalDoubted Code = "refusal_doubted"
	// the note {note} of the same company is refused by the authority's rule {code}, which would refuse this one too: this one follows when that one has gone on
	HeldBySibling Code = "held_by_sibling"
	// it is sent all the same: the authority refused a document without it ({code}) and took one with it; whatever is changed here ends that
	RegistrationSent Code = "registration_sent"
	// it is left out all the same: the authority refused a document with it ({code}) and took one without it; whatever is changed here ends that
	RegistrationOmitted Code = "registration_omitted"
	// the authority refuses by its rule {code} what this program built: report it to its makers
	RefusedByDefect Code = "refused_by_defect"
	// the authority answers by a code that no catalogue has ({code}): it is asked about, and the same sent again, every hour
	UncataloguedCode Code = "uncatalogued_code"
	// the authority cannot be asked what became of a request: a person must find out
	OutcomeNotAskable Code = "outcome_not_askable"
	// what the authority has made cannot be read: {why}
	DocumentUnreadable Code = "document_unreadable"
	// the series is held: {why}; emissor series says what to do
	SeriesHeld Code = "series_held"
	// another system uses the series {series}: choose one that nothing else uses, by emissor fiscal-profile set --series
	SeriesOfAnotherSystem Code = "series_of_another_system"
	// the series {series} has no number left that a document can bear: choose another series that nothing else uses, by emissor fiscal-profile set --series
	SeriesUsedUp Code = "series_used_up"
	// the numbers {first} to {last} that the city has granted for the series {series} are used up: ask the city for others and set them, by emissor fiscal-profile set --granted-numbers
	GrantedNumbersUsedUp Code = "granted_numbers_used_up"
	// the number {number} of series {series} is used at the authority, and our records may be a copy of before: it may be a note's of ours that was sent in the time that was lost
	NumberUsedInLostTime Code = "number_used_in_lost_time"
	// the authority has documents under the series {series} that are not on record here, as after a restore: emissor recovery list names them and says what to do
	DocumentsNotOnRecord Code = "documents_not_on_record"
	// the numbers could not be checked: {why}
	SequenceNotChecked Code = "sequence_not_checked"
	// whether the number is free is not known: {why}
	NumberNotKnownFree Code = "number_not_known_free"
	// whether the numbers of the series are free is not known: {why}
	SeriesNotKnownFree Code = "series_not_known_free"
)

// Codes of where_issued.tsv.
const (
	// {city} takes notes of this company on a server of its own, of competence from {from} on.
	WhereCityServer Code = "where_city_server"
	// {city} issues the notes of its companies outside Simples Nacional itself.
	WhereCityItself Code = "where_city_itself"
	// {city} issues no notes of companies in Simples Nacional: the national system does.
	WhereNotOfSimples Code = "where_not_of_simples"
	// By what {city} has set there, the national system takes notes of this company.
	WhereNationalTakes Code = "where_national_takes"
	// By what {city} has set there ({parameter}), the national system refuses notes of this company ({rule}).
	WhereNationalRefuses Code = "where_national_refuses"
	// What {city} has set in the national system is not known here yet.
	WhereNationalNotKnown Code = "where_national_not_known"
	// the national system ({name})
	WhereByNational Code = "where_by_national"
	// {city} itself ({name})
	WhereByCity Code = "where_by_city"
	// Of competence from {day} on notes of this company are taken by {authority}.
	WhereFrom Code = "where_from"
	// Of competence from {day} on nobody takes them from here, as far as is known.
	WhereNobody Code = "where_nobody"
	// The fiscal profile names another authority: have this company issue by {authority}.
	WhereChangeTo Code = "where_change_to"
	// Until that changes, notes of this company wait here; they can be issued on the city's own portal.
	WhereIssueThere Code = "where_issue_there"
	// The fiscal profile still names the city. Decide whether the company goes over to the national system: nothing is switched by itself.
	WhereDecide Code = "where_decide"
)

// Codes of withholdings.tsv.
const (
	// What is withheld of one federal tax is not below the price.
	WithheldTakesPrice Code = "withheld_takes_price"
	// Discounts, deductions and withheld taxes together exceed the price.
	MoreTakenThanPrice Code = "more_taken_than_price"
	// {rule}: the ISS is withheld, and the company's effective ISS rate of {month} in Simples Nacional is not given: give it with emissor fiscal-profile set --simples-rate {month}=RATE
	SimplesRateMissing Code = "simples_rate_missing"
	// must have rates from 0 to 99.99 percent
	ContributionRateOutOfRange Code = "contribution_rate_out_of_range"
	// must be none of an individual, of an MEI, and of an ME or EPP whose federal taxes are within Simples Nacional
	ContributionsNotDeclared Code = "contributions_not_declared"
	// must have a tax situation (CST) of PIS and COFINS: 00 to 09, 49 to 56, 60 to 67, 70 to 75, 98 or 99
	ContributionSituationUnknown Code = "contribution_situation_unknown"
	// must have months of this century, as 2026-11
	SimplesRateMonthUnknown Code = "simples_rate_month_unknown"
	// must be from 1.80 to 5.00 percent
	SimplesRateOutOfRange Code = "simples_rate_out_of_range"
	// must be none: the city's layout has no PIS and COFINS of the issuer's own
	CityHasNoOwnContributions Code = "city_has_no_own_contributions"
	// must name irrf, pis, cofins, csll, inss, inss-base or csrf, which {tax} is not
	WithheldTaxUnknown Code = "withheld_tax_unknown"
	// must have csrf without a rate, as it is pis, cofins and csll, each at the law's: other rates are given to these
	WithheldSumWithRate Code = "withheld_sum_with_rate"
	// must have a percentage from 0 to 100 with at most two decimals for {tax}
	WithheldRateUnread Code = "withheld_rate_unread"
	// must be below 100 percent together
	WithheldRatesTooHigh Code = "withheld_rates_too_high"
	// has a base of the INSS and no rate of it
	INSSBaseWithoutRate Code = "inss_base_without_rate"
	// must be by the service, never, or a set of its own
	WithholdingRuleUnknown Code = "withholding_rule_unknown"
	// is not by a set of its own, but has one
	WithholdingRuleWithSet Code = "withholding_rule_with_set"
	// must be given where the customer has a set of its own
	WithholdingSetMissing Code = "withholding_set_missing"
	// Nothing federal is withheld of an individual or an MEI: notes state none of it.
	WithheldOfNobody Code = "withheld_of_nobody"
	// IRRF, PIS, COFINS and CSLL are not withheld of a company whose federal taxes are within Simples Nacional: notes state none of them.
	WithheldOfSimples Code = "withheld_of_simples"
	// Of a company in Simples Nacional the INSS is withheld only of services of Annex IV.
	INSSOfSimples Code = "inss_of_simples"
	// The INSS is withheld only of assigned labour and contracted works: not of full-contract works, and not of freight.
	INSSOfAssignedLabour Code = "inss_of_assigned_labour"
	// PIS and COFINS end: of competence from {day} on neither is withheld or declared.
	ContributionsEnd Code = "contributions_end"
	// A customer in Simples Nacional withholds no PIS, COFINS and CSLL: notes state none of them.
	SimplesWithholdsNoCSRF Code = "simples_withholds_no_csrf"
	// The customer is set as in Simples Nacional, which withholds no PIS, COFINS and CSLL: this note withholds them all the same, as the form says.
	SimplesWithholdsAllTheSame Code = "simples_withholds_all_the_same"
	// An individual withholds nothing federal: notes state none of it.
	PersonWithholdsNothing Code = "person_withholds_nothing"
)

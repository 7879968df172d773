package fact

// What emissor doctor has seen of an organization.
var (
	DoctorOrganizationGone = define("doctor_organization_gone",
		"There is no such organization.",
		"Esta organização não existe.")

	DoctorProfileGood = define("doctor_profile_good",
		"The fiscal profile is complete: {authority}, series {series}, {environment:environment}.",
		"O perfil fiscal está completo: {authority}, série {series}, {environment:environment}.")
	DoctorProfileMissing = define("doctor_profile_missing",
		"There is no fiscal profile: this organization issues no live notes.",
		"Não há perfil fiscal: esta organização não emite notas de produção.")
	DoctorProfileUnreadable = define("doctor_profile_unreadable",
		"The fiscal profile on record cannot be read.",
		"O perfil fiscal registrado não pode ser lido.")
	DoctorProfileWrong = define("doctor_profile_wrong",
		"The authority's rules refuse the fiscal profile, field {field}: {why}.",
		"As regras da autoridade recusam o perfil fiscal, campo {field}: {why}.")

	DoctorCertificateGood = define("doctor_certificate_good",
		"The certificate {certificate} opens, is the issuer's, leads to ICP-Brasil's roots and ends on {until}, in "+
			"{days} days.",
		"O certificado {certificate} abre, é do emitente, leva às raízes da ICP-Brasil e vale até {until}, por "+
			"{days} dias.")
	DoctorCertificateEnds = define("doctor_certificate_ends",
		"The certificate {certificate} ends on {until}, in {days} days.",
		"O certificado {certificate} vale só até {until}, por {days} dias.")
	DoctorCertificateNone = define("doctor_certificate_none",
		"No certificate can be used: {why}.",
		"Nenhum certificado pode ser usado: {why}.")
	DoctorCertificateRefused = define("doctor_certificate_refused",
		"The certificate {certificate} is none that the authority takes: {why}.",
		"O certificado {certificate} não é um que a autoridade aceite: {why}.")
	DoctorCertificateChain = define("doctor_certificate_chain",
		"It is not known who issued the certificate {certificate}: {why}.",
		"Não se sabe quem emitiu o certificado {certificate}: {why}.")
	DoctorCertificateBranch = define("doctor_certificate_branch",
		"The certificate {certificate} is of another establishment of the company: whether the authority takes it is "+
			"not settled.",
		"O certificado {certificate} é de outro estabelecimento da empresa: não é certo que a autoridade o aceite.")

	DoctorTaxIDShown = define("doctor_tax_id_shown",
		"The issuer's CNPJ or CPF is the organization's.",
		"O CNPJ ou CPF do emitente é da organização.")
	DoctorTaxIDNot = define("doctor_tax_id_not",
		"It is not shown that the issuer's CNPJ or CPF is the organization's.",
		"Não está provado que o CNPJ ou CPF do emitente é da organização.")

	DoctorSeriesGood = define("doctor_series_good",
		"Nothing holds the series {series}.",
		"Nada bloqueia a série {series}.")
	DoctorSeriesHeld = define("doctor_series_held",
		"The series {series} is held: {why}.",
		"A série {series} está bloqueada: {why}.")
	DoctorNumbersFew = define("doctor_numbers_few",
		"{left} of the numbers that the city has granted are left.",
		"Restam {left} dos números que o município concedeu.")

	DoctorCityIgnored = define("doctor_city_ignored",
		"The fiscal profile has notes issued whatever cities have set in the national system.",
		"O perfil fiscal manda emitir as notas seja o que for que os municípios definiram no sistema nacional.")

	DoctorServicesGood = define("doctor_services_good",
		"All {services} active live services are ready.",
		"Todos os {services} serviços ativos de produção estão prontos.")
	DoctorServicesLack = define("doctor_services_lack",
		"{lacking} of {services} active live services lack something, as a classification: {which}.",
		"Falta algo, como a classificação, em {lacking} de {services} serviços ativos de produção: {which}.")
	DoctorServiceLacks = define("doctor_service_lacks",
		"{service} ({defect:lacks})",
		"{service} ({defect:lacks})")
	DoctorServicesNone = define("doctor_services_none",
		"There is no active live service.",
		"Não há serviço ativo de produção.")

	DoctorEndpointGood = define("doctor_endpoint_good",
		"The {environment:purpose} endpoint {endpoint} at {host} is reached.",
		"O endpoint {endpoint} em {host}, de {environment:purpose}, foi alcançado.")
	DoctorEndpointFails = define("doctor_endpoint_fails",
		"The {environment:purpose} endpoint {endpoint} at {host} is not reached: {why}.",
		"O endpoint {endpoint} em {host}, de {environment:purpose}, não foi alcançado: {why}.")
	DoctorEndpointOff = define("doctor_endpoint_off",
		"The {environment:purpose} endpoint {endpoint} is disabled: nothing is sent to it.",
		"O endpoint {endpoint}, de {environment:purpose}, está desativado: nada é enviado a ele.")
	DoctorEndpointClosed = define("doctor_endpoint_closed",
		"The secret of the {environment:purpose} endpoint {endpoint} does not open: nothing can be signed for it.",
		"O segredo do endpoint {endpoint}, de {environment:purpose}, não abre: nada pode ser assinado para ele.")
	DoctorEndpointsNone = define("doctor_endpoints_none",
		"There is no webhook endpoint.",
		"Não há endpoint de webhook.")
)

package fact

// What emissor doctor says is to be done.
var (
	DoctorDoSettings = define("doctor_do_settings",
		"`emissor config` says what each setting takes.",
		"`emissor config` diz o que cada configuração aceita.")
	DoctorDoDatabase = define("doctor_do_database",
		"Check EMISSOR_DATABASE_URL, that PostgreSQL runs, and that fsync and synchronous_commit are on.",
		"Confira EMISSOR_DATABASE_URL, se o PostgreSQL está no ar e se fsync e synchronous_commit estão ligados.")
	DoctorDoSafeConnection = define("doctor_do_safe_connection",
		"Use sslmode=verify-full, with sslrootcert.",
		"Use sslmode=verify-full, com sslrootcert.")
	DoctorDoMigrate = define("doctor_do_migrate",
		"Run `emissor migrate`.",
		"Execute `emissor migrate`.")
	DoctorDoUpgrade = define("doctor_do_upgrade",
		"Nothing while versions are changed; otherwise start the newer program.",
		"Nada durante a troca de versões; fora dela, inicie o programa mais novo.")
	DoctorDoEngine = define("doctor_do_engine",
		"Check TEMPORAL_ADDRESS and the other TEMPORAL_… settings, and that Temporal runs.",
		"Confira TEMPORAL_ADDRESS e as outras configurações TEMPORAL_…, e se o Temporal está no ar.")
	DoctorDoAttributes = define("doctor_do_attributes",
		"Have who may look whether `emissor migrate` has made them: a worker takes no work before.",
		"Peça a quem pode para conferir se o `emissor migrate` os criou: antes disso o worker não trabalha.")
	DoctorDoRetention = define("doctor_do_retention",
		"`temporal operator namespace update --retention 72h` is enough.",
		"Basta `temporal operator namespace update --retention 72h`.")
	DoctorDoKeyset = define("doctor_do_keyset",
		"Set EMISSOR_KEYSET_FILE to the keyset of this installation, as the worker has it; "+
			"`emissor keyset create` makes the first one.",
		"Aponte EMISSOR_KEYSET_FILE para o keyset desta instalação, como o do worker; "+
			"`emissor keyset create` cria o primeiro.")
	DoctorDoMail = define("doctor_do_mail",
		"Check EMISSOR_SMTP_URL, its user and password.",
		"Confira EMISSOR_SMTP_URL, com usuário e senha.")

	DoctorDoHost = define("doctor_do_host",
		"Check the address, the firewall and EMISSOR_AUTHORITY_CA.",
		"Confira o endereço, o firewall e EMISSOR_AUTHORITY_CA.")
	DoctorDoTLS = define("doctor_do_tls",
		"Leave EMISSOR_AUTHORITY_TLS out, which is auto, or set it to 1.2-once.",
		"Deixe EMISSOR_AUTHORITY_TLS sem valor, que é auto, ou ponha 1.2-once.")
	DoctorDoAddress = define("doctor_do_address",
		"Set the authority's address as the worker has it, and run this with the worker's settings.",
		"Configure o endereço da autoridade como no worker, e execute com as configurações do worker.")
	DoctorDoClock = define("doctor_do_clock",
		"Have the machine's clock set by NTP: authorities refuse what comes from the future.",
		"Acerte o relógio da máquina por NTP: autoridades recusam o que vem do futuro.")
	DoctorDoSeries = define("doctor_do_series",
		"Another program issues under this series: use another series, or set the next number.",
		"Outro programa emite nesta série: use outra série, ou acerte o próximo número.")
	DoctorDoAskAgain = define("doctor_do_ask_again",
		"Run this again later; if it stays, look at the certificate and at the authority's own site.",
		"Execute de novo mais tarde; se continuar, veja o certificado e o site da autoridade.")

	DoctorDoProfile = define("doctor_do_profile",
		"Set the fiscal profile: the page Company, or `emissor fiscal-profile set`.",
		"Preencha o perfil fiscal: página Empresa, ou `emissor fiscal-profile set`.")
	DoctorDoCertificate = define("doctor_do_certificate",
		"Add a valid A1 certificate of the company: the page Company, or `emissor certificate add`.",
		"Envie um certificado A1 válido da empresa: página Empresa, ou `emissor certificate add`.")
	DoctorDoRoots = define("doctor_do_roots",
		"Set EMISSOR_CERTIFICATE_ROOTS to the file of ICP-Brasil's roots, and add the certificate with its whole chain.",
		"Aponte EMISSOR_CERTIFICATE_ROOTS para o arquivo das raízes da ICP-Brasil, e envie o certificado com a "+
			"cadeia inteira.")
	DoctorDoTaxID = define("doctor_do_tax_id",
		"Add a certificate of that CNPJ or CPF whose chain leads to ICP-Brasil, or see `emissor organization tax-ids`.",
		"Envie um certificado desse CNPJ ou CPF com cadeia até a ICP-Brasil, ou veja `emissor organization tax-ids`.")
	DoctorDoHeld = define("doctor_do_held",
		"See `emissor series check`; `emissor series release` releases it.",
		"Veja `emissor series check`; `emissor series release` a libera.")
	DoctorDoNumbers = define("doctor_do_numbers",
		"Ask the city for others: `emissor fiscal-profile set --granted-numbers`.",
		"Peça outros ao município: `emissor fiscal-profile set --granted-numbers`.")
	DoctorDoCity = define("doctor_do_city",
		"`emissor municipality show` has what is known of the city; a worker with the ADN's address fetches it.",
		"`emissor municipality show` mostra o que se sabe do município; um worker com o endereço do ADN o busca.")
	DoctorDoServices = define("doctor_do_services",
		"Classify them: the page Services, or `emissor service classify`.",
		"Classifique-os: página Serviços, ou `emissor service classify`.")
	DoctorDoService = define("doctor_do_service",
		"Make one: the page Services, or POST /v1/services with a live key.",
		"Crie um: página Serviços, ou POST /v1/services com chave de produção.")
	DoctorDoEndpoint = define("doctor_do_endpoint",
		"Check the endpoint's address; then `emissor webhook test` sends a signed test call.",
		"Confira o endereço do endpoint; depois `emissor webhook test` envia uma chamada de teste assinada.")
	DoctorDoEndpointOn = define("doctor_do_endpoint_on",
		"Enable it when it is ready: `emissor webhook enable`.",
		"Ative-o quando estiver pronto: `emissor webhook enable`.")
	DoctorDoRotate = define("doctor_do_rotate",
		"Use the keyset that sealed it, or give the endpoint a new secret: `emissor webhook rotate`.",
		"Use o keyset que o cifrou, ou gere um novo segredo: `emissor webhook rotate`.")
	DoctorDoOrganization = define("doctor_do_organization",
		"`emissor organization list` has the ids.",
		"`emissor organization list` mostra os ids.")
	DoctorDoReport = define("doctor_do_report",
		"Run this again; if it stays, send this output to support.",
		"Execute de novo; se continuar, envie esta saída ao suporte.")
)

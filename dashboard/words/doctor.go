package words

// doctor is the page of what is wrong before the first live note.
var doctor = table{
	"doctor.title": {"Verificar antes da primeira nota", "Check before the first live invoice"},
	"doctor.means.company": {
		"Confere o que esta empresa precisa para emitir em produção: perfil fiscal, certificado, série, município, " +
			"serviços e webhooks.",
		"Checks what this company needs to issue in production: fiscal profile, certificate, series, city, services " +
			"and webhooks.",
	},
	"doctor.means.operations": {
		"Confere o que a instalação precisa: banco de dados, motor, keyset e servidor de e-mail.",
		"Checks what the installation needs: database, engine, keyset and mail server.",
	},
	"doctor.harmless": {
		"Nada é emitido, enviado ou alterado.",
		"Nothing is issued, sent or changed.",
	},
	"doctor.worker": {
		"O painel não chama autoridades: o comando emissor doctor, na máquina do worker, também pergunta a elas.",
		"The dashboard calls no authority: the command emissor doctor, on the worker's machine, asks them too.",
	},
	"doctor.look":     {"Verificar agora", "Check now"},
	"doctor.again":    {"Verificar de novo", "Check again"},
	"doctor.found":    {"O que foi visto", "What was seen"},
	"doctor.check":    {"Verificação", "Check"},
	"doctor.result":   {"Resultado", "Result"},
	"doctor.seen":     {"O que se viu", "What was seen"},
	"doctor.do":       {"O que fazer", "What to do"},
	"doctor.mend":     {"Abrir a página", "Open the page"},
	"doctor.worst.ok": {"Nada de errado foi visto.", "Nothing wrong was seen."},
	"doctor.worst.warning": {
		"Há avisos: as notas saem, mas algo falta ou atrasa.",
		"There are warnings: invoices are issued, but something is late or missing.",
	},
	"doctor.worst.problem": {
		"Há problemas: notas de produção esperariam ou seriam recusadas.",
		"There are problems: live invoices would wait or be refused.",
	},
	"doctor.result.ok":      {"Certo", "OK"},
	"doctor.result.warning": {"Aviso", "Warning"},
	"doctor.result.problem": {"Problema", "Problem"},
	"doctor.result.skipped": {"Não verificado", "Not checked"},

	"doctor.check.settings":     {"Configurações", "Settings"},
	"doctor.check.database":     {"Banco de dados", "Database"},
	"doctor.check.engine":       {"Motor (Temporal)", "Engine (Temporal)"},
	"doctor.check.keyset":       {"Keyset", "Keyset"},
	"doctor.check.mail":         {"E-mail", "E-mail"},
	"doctor.check.host":         {"Servidores das autoridades", "Authorities' servers"},
	"doctor.check.clock":        {"Relógio", "Clock"},
	"doctor.check.organization": {"Empresa", "Company"},
	"doctor.check.profile":      {"Perfil fiscal", "Fiscal profile"},
	"doctor.check.document":     {"CNPJ ou CPF", "CNPJ or CPF"},
	"doctor.check.certificate":  {"Certificado", "Certificate"},
	"doctor.check.series":       {"Série", "Series"},
	"doctor.check.city":         {"Município", "City"},
	"doctor.check.services":     {"Serviços", "Services"},
	"doctor.check.question":     {"Pergunta à autoridade", "Question to the authority"},
	"doctor.check.webhook":      {"Webhooks", "Webhooks"},
}

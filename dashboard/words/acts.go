package words

// acts are what must be confirmed before it is done.
var acts = table{
	"act.back":               {"Voltar sem fazer nada", "Go back and do nothing"},
	"act.key.revoke":         {"Revogar a chave de API", "Revoke the API key"},
	"act.endpoint.rotate":    {"Gerar novo segredo do endpoint", "Create a new secret for the endpoint"},
	"act.endpoint.disable":   {"Desativar o endpoint", "Disable the endpoint"},
	"act.endpoint.remove":    {"Remover o endpoint", "Remove the endpoint"},
	"act.certificate.remove": {"Remover o certificado", "Remove the certificate"},
	"act.member.remove":      {"Remover a pessoa da organização", "Remove the person from the organization"},
	"act.member.recover": {
		"Fazer um novo link de acesso para a pessoa",
		"Make a new access link for the person",
	},
	"act.role.owner": {"Tornar responsável", "Make an owner"},
	"act.role.owner.means": {
		"%s passa a cuidar de chaves, certificados e pessoas, e pode tirar de você o seu papel.",
		"%s will manage keys, certificates and people, and can take your role from you.",
	},
	"act.role.own": {"Deixar de ser responsável", "Give up being an owner"},
	"act.role.own.means": {
		"%s é você: só outra pessoa responsável pode lhe devolver o papel.",
		"%s is you: only another owner can give you the role back.",
	},
	"act.profile": {"Mudar como a empresa emite", "Change how the company issues"},
	"act.profile.production": {
		"A partir de agora as notas são documentos fiscais de verdade.",
		"From now on invoices are real fiscal documents.",
	},
	"act.profile.restricted": {
		"A partir de agora as notas vão ao ambiente de testes da autoridade e não têm valor fiscal.",
		"From now on invoices go to the authority's own test system and have no fiscal value.",
	},
	"act.profile.numbers": {
		"As próximas notas saem com este CNPJ ou CPF e nesta série, que tem numeração própria.",
		"The next invoices are issued with this tax id and in this series, which has numbers of its own.",
	},
	"act.passkey.remove": {"Remover a passkey", "Remove the passkey"},
	"act.passkey.remove.means": {
		"Com esta passkey não se entra mais, nem se confirma nada. Não se desfaz.",
		"Nobody signs in or confirms with this passkey any more. This is not undone.",
	},
	"act.invitation.revoke": {"Revogar o convite", "Revoke the invitation"},
	"act.invitation.revoke.means": {
		"O link que foi enviado deixa de valer.",
		"The link that was sent is good no longer.",
	},
	"act.unlink": {"Desligar a entrada da empresa", "Unlink company sign-on"},
	"act.unlink.means": {
		"Você não entra mais por lá; a sua passkey continua valendo.",
		"You do not sign in there any more; your passkey stays good.",
	},
}

package words

// people is the page of an organization's members.
var people = table{
	"people.members":      {"Membros", "Members"},
	"people.email":        {"E-mail", "E-mail"},
	"people.role":         {"Papel", "Role"},
	"people.signed_in":    {"Última entrada", "Last sign-in"},
	"people.never":        {"nunca", "never"},
	"people.sessions":     {"Sessões abertas", "Open sessions"},
	"people.you":          {"você", "you"},
	"people.actions":      {"Ações", "Actions"},
	"people.change_role":  {"Alterar papel", "Change role"},
	"people.role_of":      {"Papel de %s", "Role of %s"},
	"people.role_changed": {"Papel alterado.", "Role changed."},
	"people.remove":       {"Remover", "Remove"},
	"people.remove.means": {
		"Remove %s desta organização; o acesso acaba na próxima requisição.",
		"Removes %s from this organization; access ends at the next request.",
	},
	"people.removed": {"Pessoa removida da organização.", "Removed from the organization."},
	"people.last_owner": {
		"Uma organização fica com ao menos um responsável. Nada mudou: dê antes o papel a outra pessoa.",
		"An organization keeps at least one owner. Nothing changed: give the role to somebody else first.",
	},
	"people.recover": {"Novo link", "New link"},
	"people.recover.means": {
		"Gera um link com que %s recupera a conta; as passkeys de antes deixam de valer quando ele é usado.",
		"Makes a link by which %s recovers the account; passkeys from before end when it is used.",
	},
	"people.elsewhere": {
		"também é de outra organização: só quem opera a instalação faz um novo link",
		"also belongs elsewhere: only who runs the installation makes a new link",
	},
	"people.invitations": {"Convites", "Invitations"},
	"people.expires":     {"Vence", "Expires"},
	"people.revoke":      {"Revogar", "Revoke"},
	"people.revoked": {
		"Convite revogado: o link não vale mais.",
		"Invitation revoked: the link does not work any more.",
	},
	"people.invite": {"Convidar", "Invite"},
	"people.invite.means": {
		"Enviamos o convite por e-mail; sem servidor, copie o link. Quem o usa entra na organização com esse " +
			"papel.",
		"We e-mail the invitation; without a mail server, copy the link. Whoever uses it joins the organization " +
			"with that role.",
	},
	"people.email.wrong": {
		"Escreva um endereço de e-mail, como maria@exemplo.com.br.",
		"Write an e-mail address, as maria@example.com.",
	},
	"people.email.member": {"Essa pessoa já é membro.", "That person is a member already."},
	"people.links.many": {
		"Foram feitos links demais na última hora, para esta pessoa ou por esta organização. Nada foi enviado agora.",
		"Too many links were made in the last hour, for this person or by this organization. Nothing was sent now.",
	},
	"people.role.wrong": {"Escolha um dos papéis.", "Choose one of the roles."},
	"people.link":       {"Convite criado", "Invitation created"},
	"people.link.text": {
		"Envie este link a %s. Ele aparece só agora e vale uma única vez, até %s.",
		"Send this link to %s. It is shown only now and works once, until %s.",
	},
	"people.link.mailed": {
		"Enviamos o link por e-mail a %s. Só quem lê esse e-mail o vê. Ele vale uma única vez, até %s.",
		"We mailed the link to %s. Only who reads that mail sees it. It works once, until %s.",
	},
	"people.link.not_mailed": {
		"O e-mail a %s não pôde ser enviado, e ninguém tem o link, que valeria até %s. Tente de novo; se não der " +
			"certo, avise quem opera esta instalação.",
		"The e-mail to %s could not be sent, and nobody has the link, which would work until %s. Try again; if " +
			"that does not help, tell who runs this installation.",
	},
	"people.lost_address": {
		"perdeu o endereço: outra pessoa comprovou que é dela",
		"lost the address: somebody else has shown that it is theirs",
	},
	"people.link.back": {"Voltar a Usuários", "Back to Users"},
	"people.conflict":  {"Outra pessoa mudou isto antes de você", "Somebody else changed this before you"},
	"people.conflict.text": {
		"O papel de %s é agora %s; você tinha escolhido %s. Nada do que a outra pessoa fez se perdeu, e a sua " +
			"mudança não foi salva.",
		"The role of %s is now %s; you had chosen %s. Nothing of what the other person did is lost, and your " +
			"change was not saved.",
	},
	"people.conflict.again":  {"Salvar a minha escolha", "Save my choice"},
	"people.conflict.forget": {"Deixar como está", "Leave it as it is"},
}

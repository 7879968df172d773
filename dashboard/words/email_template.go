package words

// emailTemplate are the words of the page with a company's own words and logo in its e-mails.
var emailTemplate = table{
	"email_template.title": {"E-mail ao tomador", "E-mail to the customer"},
	"email_template.means": {
		"Assim são os e-mails que %s envia aos tomadores com cada nota: suas palavras e seu logotipo. O XML " +
			"e o DANFSe " +
			"vão anexos. Se a nota foi cancelada ou substituída, o e-mail sempre diz isso.",
		"This is how the e-mails are that %s sends to customers with each invoice: your words and your logo. The XML " +
			"and the DANFSe are attached. If the invoice was cancelled or replaced, the e-mail always says so.",
	},
	"email_template.to":         {"Texto e logotipo dos e-mails", "Text and logo of the e-mails"},
	"email_template.portuguese": {"Texto em português", "Text in Portuguese"},
	"email_template.english":    {"Texto em inglês", "Text in English"},
	"email_template.empty": {
		"Deixe em branco para usar o texto padrão do Emissor nesse idioma.",
		"Leave a text empty to use Emissor's own in that language.",
	},
	"email_template.placeholders": {
		"O que está entre chaves é trocado pelos dados de cada nota:",
		"What stands in braces is replaced with the data of each invoice:",
	},
	"email_template.of.number":   {"número da NFS-e", "number of the NFS-e"},
	"email_template.of.company":  {"nome da sua empresa", "name of your company"},
	"email_template.of.customer": {"nome do tomador", "name of the customer"},
	"email_template.of.amount":   {"valor da nota", "amount of the invoice"},
	"email_template.of.to_pay": {
		"valor a pagar, descontado o que o tomador retém",
		"amount to pay, less withholdings",
	},
	"email_template.of.competence": {"competência", "competence"},
	"email_template.of.access_key": {"chave de acesso", "access key"},
	"email_template.of.link":       {"endereço para conferir a nota", "address to verify the invoice"},

	"email_template.logo":        {"Logotipo (PNG ou JPEG)", "Logo (PNG or JPEG)"},
	"email_template.logo.now":    {"Os e-mails já levam um logotipo.", "The e-mails carry a logo already."},
	"email_template.logo.show":   {"Ver o logotipo", "See the logo"},
	"email_template.logo.remove": {"Remover o logotipo", "Remove the logo"},
	"email_template.logo.means": {
		"Até %d por %d pixels e 1 MB. Guardamos somente a imagem: o resto do arquivo é descartado.",
		"Up to %d by %d pixels and 1 MB. Only the picture is kept: the rest of the file is discarded.",
	},
	"email_template.logo.format": {
		"O arquivo não é uma imagem PNG ou JPEG válida.",
		"The file is not a valid PNG or JPEG image.",
	},
	"email_template.logo.size": {
		"A imagem é grande demais: use até 1200 por 600 pixels.",
		"The image is too large: use up to 1200 by 600 pixels.",
	},
	"email_template.logo.bytes": {
		"A imagem ocupa bytes demais para ir em cada e-mail: use uma menor ou com menos cores.",
		"The image takes too many bytes to go with every e-mail: use a smaller one, or fewer colours.",
	},
	"email_template.words.wrong": {
		"Escreva até 4000 caracteres, sem caracteres de controle.",
		"Write up to 4000 characters, without control characters.",
	},
	"email_template.unknown": {
		"Há um nome entre chaves que não existe. Use os da lista.",
		"A name in braces does not exist. Use those of the list.",
	},
	"email_template.unknown.these": {"Não existem:", "These do not exist:"},
	"email_template.save":          {"Salvar", "Save"},
	"email_template.preview":       {"Ver como fica", "Preview"},
	"email_template.saved": {
		"E-mail salvo. Vale para os próximos.",
		"E-mail saved. It holds for the next ones.",
	},
	"email_template.conflict": {
		"Outra pessoa mudou este e-mail antes de você. Nada se perdeu: o que você digitou está abaixo e não " +
			"foi salvo. " +
			"Salve de novo para substituir o da outra pessoa.",
		"Somebody else changed this e-mail before you. Nothing is lost: what you typed is below and was not saved. " +
			"Save again to replace theirs.",
	},
	"email_template.conflict.now":     {"Como está agora", "As it is now"},
	"email_template.example":          {"Como fica", "What it looks like"},
	"email_template.example.invented": {"Com uma nota de exemplo.", "With an invented invoice."},
	"email_template.example.newest":   {"Com a sua nota mais recente.", "With your latest invoice."},

	"audit.email.template":   {"mudou o e-mail ao tomador de", "changed the e-mail to customers of"},
	"audit.field.portuguese": {"texto em português (resumo)", "text in Portuguese (digest)"},
	"audit.field.english":    {"texto em inglês (resumo)", "text in English (digest)"},
	"audit.field.logo":       {"logotipo (resumo)", "logo (digest)"},
}

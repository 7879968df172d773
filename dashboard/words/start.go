package words

// start is why the workflow engine has not taken something yet, by store.StartFailure, on
// the page of a note, on the operators' page and in the commands.
var start = table{
	"start.engine_away": {
		"o sistema que conduz as notas não está respondendo. Ela não se perde e segue sozinha assim que ele " +
			"voltar.",
		"the system that moves the invoices does not answer. It is not lost, and goes on by itself as soon as " +
			"that is back.",
	},
	"start.refused": {
		"o sistema que conduz as notas não a aceitou. Ela não se perde: tentamos de novo sozinhos, e os " +
			"operadores já foram avisados.",
		"the system that moves the invoices did not take it. It is not lost: we try again by ourselves, and the " +
			"operators are told.",
	},
	"start.timed_out": {
		"o sistema que conduz as notas demora demais com ela. Ela não se perde: tentamos de novo sozinhos, e os " +
			"operadores já foram avisados.",
		"the system that moves the invoices takes too long with it. It is not lost: we try again by ourselves, " +
			"and the operators are told.",
	},
	"start.internal": {
		"um erro nosso a impede de começar. Ela não se perde: tentamos de novo sozinhos, e os operadores já foram " +
			"avisados.",
		"an error of ours keeps it from beginning. It is not lost: we try again by ourselves, and the operators " +
			"are told.",
	},
}

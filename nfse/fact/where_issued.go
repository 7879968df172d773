package fact

// Which authorities take the notes of a company of a day of competence, and why.
var (
	WhereCityServer = define("where_city_server",
		"{city} takes notes of this company on a server of its own, of competence from {from} on.",
		"{city} recebe as notas desta empresa em servidor próprio, nas competências a partir de {from}.")
	WhereCityItself = define("where_city_itself",
		"{city} issues the notes of its companies outside Simples Nacional itself.",
		"{city} emite ela mesma as notas de suas empresas fora do Simples Nacional.")
	WhereNotOfSimples = define("where_not_of_simples",
		"{city} issues no notes of companies in Simples Nacional: the national system does.",
		"{city} não emite notas de empresas do Simples Nacional: elas emitem pelo sistema nacional.")
	WhereNationalTakes = define("where_national_takes",
		"By what {city} has set there, the national system takes notes of this company.",
		"Pelo que {city} definiu nele, o sistema nacional recebe as notas desta empresa.")
	WhereNationalRefuses = define("where_national_refuses",
		"By what {city} has set there ({parameter}), the national system refuses notes of this company ({rule}).",
		"Pelo que {city} definiu nele ({parameter}), o sistema nacional recusa as notas desta empresa ({rule}).")
	WhereNationalNotKnown = define("where_national_not_known",
		"What {city} has set in the national system is not known here yet.",
		"O que {city} definiu no sistema nacional ainda não se sabe aqui.")

	WhereByNational = define("where_by_national",
		"the national system ({name})",
		"o sistema nacional ({name})")
	WhereByCity = define("where_by_city",
		"{city} itself ({name})",
		"o próprio município, {city} ({name})")
	WhereFrom = define("where_from",
		"Of competence from {day} on notes of this company are taken by {authority}.",
		"Nas competências a partir de {day}, quem recebe as notas desta empresa é {authority}.")
	WhereNobody = define("where_nobody",
		"Of competence from {day} on nobody takes them from here, as far as is known.",
		"Nas competências a partir de {day}, ninguém as recebe daqui, pelo que se sabe.")

	// What a person does about it.
	WhereChangeTo = define("where_change_to",
		"The fiscal profile names another authority: have this company issue by {authority}.",
		"O perfil fiscal indica outra autoridade: passe a empresa para {authority}.")
	WhereIssueThere = define("where_issue_there",
		"Until that changes, notes of this company wait here; they can be issued on the city's own portal.",
		"Enquanto isso não mudar, as notas desta empresa esperam aqui; podem ser emitidas no portal do município.")
	WhereDecide = define("where_decide",
		"The fiscal profile still names the city. Decide whether the company goes over to the national system: "+
			"nothing is switched by itself.",
		"O perfil fiscal ainda indica o município. Decida se a empresa passa ao sistema nacional: nada muda sozinho.")
)

package fact

// Why a note is held whose city takes less than the national system does, and why a city's server
// was not reached.
var (
	CityLayoutLacks = define("city_layout_lacks",
		"The server of {city} does not take {what} as the national system does, and nothing is sent: change that of "+
			"the note, or issue it in the city's portal and cancel it here.",
		"O servidor de {city} não aceita {what} como o sistema nacional, e nada é enviado: altere isso na nota, ou "+
			"emita-a no portal do município e cancele-a aqui.")
	CityCodeNumber = define("city_code_number",
		"The code of the service {service} in {city} (cTribMun) must be a number without zeros before it, of at most "+
			"2147483647.",
		"O código municipal do serviço {service} em {city} (cTribMun) deve ser um número sem zeros à esquerda, de no "+
			"máximo 2147483647.")
	CityServiceNotThere = define("city_service_not_there",
		"the city's server has no service at its address: an operator has to look at the city's row",
		"o servidor da prefeitura não tem serviço nesse endereço: um operador precisa conferir a linha do município")
)

package nfse

import "strings"

// Work is a construction work that services are rendered for (group obra), as the company's
// register has it. One of Registration, CIB and Address is given.
type Work struct {
	ID             string           `json:"id,omitempty"`
	Name           string           `json:"name,omitempty"`
	Registration   string           `json:"registration,omitempty"`    // CNO or CEI (cObra)
	CIB            string           `json:"cib,omitempty"`             // Cadastro Imobiliário Brasileiro, 8 characters
	PropertyNumber string           `json:"property_number,omitempty"` // by the city (inscImobFisc)
	Address        *PropertyAddress `json:"address,omitempty"`
	Foreign        *ForeignPlace    `json:"foreign,omitempty"` // of an Address abroad, in place of its zip code

	// MunicipalityCode is where the work is: the service is rendered there.
	MunicipalityCode string `json:"municipality_code,omitempty"`
	// TechnicalDocument is the engineer's ART, RRT or DRT (idDocTec).
	TechnicalDocument string `json:"technical_document,omitempty"`
}

// CulturalEvent is an event that services of item 12 are rendered for (group atvEvento), as the
// company's register has it. One of Identification and Address is given.
type CulturalEvent struct {
	ID             string           `json:"id,omitempty"`
	Name           string           `json:"name"`
	From           Day              `json:"from"`                     // dtIni
	Through        Day              `json:"through"`                  // dtFim
	Identification string           `json:"identification,omitempty"` // by the city (idAtvEvt)
	Address        *PropertyAddress `json:"address,omitempty"`
	Foreign        *ForeignPlace    `json:"foreign,omitempty"` // of an Address abroad, in place of its zip code

	// MunicipalityCode is where it takes place: the service is rendered there.
	MunicipalityCode string `json:"municipality_code,omitempty"`
}

// workWeights are the weights of the digits before the last one of a CEI; a CNO, its successor, has the same form.
const workWeights = "74185216374"

// ValidWorkRegistration reports whether a CNO or CEI of 12 digits has the check digit that it must
// have.
func ValidWorkRegistration(number string) bool {
	digits := strings.Trim(number, "0123456789") == "" && strings.Trim(number, "0") != ""
	if !digits || len(number) != len(workWeights)+1 {
		return false
	}
	sum := 0
	for i := range workWeights {
		sum += int(number[i]-'0') * int(workWeights[i]-'0')
	}
	return int(number[len(workWeights)]-'0') == (10-(sum/10+sum)%10)%10
}

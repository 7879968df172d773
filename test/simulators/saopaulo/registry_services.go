package saopaulo

// Service is a line of the city's table of services.
type Service struct {
	Period              // in which the code is in force: 335
	Rate          int64 `json:"rate,omitempty"`           // in hundredths of a percent; 0 is not known
	NoWithholding bool  `json:"no_withholding,omitempty"` // 209
	NoDeductions  bool  `json:"no_deductions,omitempty"`  // 308
	NoOutside     bool  `json:"no_outside,omitempty"`     // 309
	NoWorks       bool  `json:"no_works,omitempty"`       // no CodigoCEI: 1234
	NoImmunity    bool  `json:"no_immunity,omitempty"`    // none of the objective kind (R, S): 1236
	NotRendered   bool  `json:"not_rendered,omitempty"`   // the code is of no service: 222
	Barred        bool  `json:"barred,omitempty"`         // nobody may use it: 361
}

// Period is from one day to another, both included. An empty one is open.
type Period struct {
	From string `json:"from,omitempty"` // 2026-01-01
	To   string `json:"to,omitempty"`
}

func (p Period) holds(day string) bool { return p.From <= day && (p.To == "" || day <= p.To) }

// leastDigits is how many digits a code of the city has at least, without the zeros before it. A code of fewer is of
// the national list, as 0107, and not the city's.
const leastDigits = 4

// service is a line of the table, by the code without zeros before it.
func (r *Registry) service(code string) (service Service, exists bool) {
	if len(code) < leastDigits {
		return Service{}, false
	}
	service, exists = r.Services[code]
	return service, exists || len(r.Services) == 0
}

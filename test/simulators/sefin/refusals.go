package sefin

import (
	"errors"
	"slices"
)

// Refusal refuses the next documents of one issuer with a code, as its city or a register
// would of which the Registry knows nothing. Like every refusal it consumes nothing.
type Refusal struct {
	Issuer     string `json:"issuer"` // CNPJ or CPF
	Code       string `json:"code"`
	Times      int    `json:"times"`                // so many documents more; 0 is one
	Complement string `json:"complement,omitempty"` // beside the code
}

// RefuseNext adds a refusal after those that wait for the same issuer.
func (s *Simulator) RefuseNext(refusal Refusal) error {
	if refusal.Issuer == "" || refusal.Code == "" || refusal.Times < 0 {
		return errors.New("a refusal needs an issuer and a code, and cannot be less than none")
	}
	refusal.Times = max(1, refusal.Times)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals, refusal)
	return nil
}

// Refusals returns what waits to be refused.
func (s *Simulator) Refusals() []Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Refusal{}, s.refusals...)
}

// EndRefusals forgets what waits to be refused.
func (s *Simulator) EndRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = nil
}

// refuses takes the next refusal of an issuer; nil where none waits.
func (s *Simulator) refuses(issuer string) *rejection {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.refusals, func(r Refusal) bool { return r.Issuer == issuer })
	if i < 0 {
		return nil
	}
	next := s.refusals[i]
	if s.refusals[i].Times--; s.refusals[i].Times == 0 {
		s.refusals = slices.Delete(s.refusals, i, i+1)
	}
	return reject(next.Code).withComplement(next.Complement)
}

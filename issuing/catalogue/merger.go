package catalogue

import "emissor/nfse"

// merger merges a change into a record, each field through its rule, and keeps the
// first error.
type merger struct {
	complete bool // whether what is required must be given
	problem  error
}

func (m *merger) refuse(field, problem string) {
	if m.problem == nil {
		m.problem = nfse.Invalid(field, "%s", problem)
	}
}

// text brings a text into the form in which it is stored.
func (m *merger) text(field string, text *string, rule Rule) {
	kept, err := rule(*text)
	if err != nil {
		m.refuse(field, err.Error())
	}
	*text = kept
}

// textOrNil does the same with a text that may be missing.
func (m *merger) textOrNil(field string, text **string, rule Rule) {
	if *text != nil {
		kept := **text // a copy: the value that was given is not changed
		m.text(field, &kept, rule)
		*text = &kept
	}
}

// present does the same with a text that may not.
func (m *merger) present(field string, text **string, rule Rule) {
	if *text == nil {
		m.refuse(field, "is required")
	}
	m.textOrNil(field, text, rule)
}

// required merges a text that cannot be cleared; nil leaves it as it is.
func (m *merger) required(field string, target, given *string, rule Rule) {
	if given != nil {
		*target = *given
		m.text(field, target, rule)
	} else if m.complete {
		m.refuse(field, "is required")
	}
}

// optional merges a text that a pointer to nil clears.
func (m *merger) optional(field string, target, given **string, rule Rule) {
	if given != nil {
		*target = *given
		m.textOrNil(field, target, rule)
	}
}

// amount merges an amount that cannot be cleared.
func (m *merger) amount(field string, target, given *int64) {
	if given != nil {
		*target = *given
		if err := CheckAmountCents(*given); err != nil {
			m.refuse(field, err.Error())
		}
	} else if m.complete {
		m.refuse(field, "is required")
	}
}

// rate merges a rate that a pointer to nil clears.
func (m *merger) rate(field string, target, given **nfse.Rate) {
	if given == nil {
		return
	}
	*target = *given
	if *given != nil {
		if _, err := nfse.ParseRate((*given).String()); err != nil {
			m.refuse(field, err.Error())
		}
	}
}

package sefin

// rejection is why something is refused. Its names in JSON come from erro (recordings 05 and 07); listed has the
// others.
type rejection struct {
	Code       string `json:"codigo"`
	Text       string `json:"descricao"`
	Complement string `json:"complemento,omitempty"`
}

// reject makes the rejection with a code. A code that is not listed is given
// words too, so that a fault can name any.
func reject(code string) *rejection {
	text, known := rejectionTexts[code]
	if !known {
		text, known = groupTexts[code]
	}
	if !known {
		text, known = cityTexts[code]
	}
	if !known {
		text = "Rejeição " + code + "."
	}
	return &rejection{Code: code, Text: text}
}

// withComplement adds what a reader needs to find the place.
func (r *rejection) withComplement(complement string) *rejection {
	r.Complement = complement
	return r
}

// reject makes the rejection with a code as who was called words it.
func (c *call) reject(code string) *rejection {
	rejected := reject(code)
	if c.city != nil && code == noSuchNote {
		rejected.Text = noSuchNoteText
	}
	return rejected
}

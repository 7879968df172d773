package sefin

// listed is a rejection as those of a DPS are listed: with capitals (recording 04).
type listed struct {
	Code       string `json:"Codigo"`
	Text       string `json:"Descricao"`
	Complement string `json:"Complemento,omitempty"`
}

func inCapitals(rejections []rejection) []listed {
	all := make([]listed, len(rejections))
	for i, one := range rejections {
		all[i] = listed(one)
	}
	return all
}

// refusal is how the national system says rejections: of a DPS under erros, with capitals (recordings 04, 09, 15); of
// an event in a list under erro, in small letters (05, 13); of a question as one object under erro (07, 08); and the
// ADN in its own lots (19).
func (s *Simulator) refusal(c *call, status int, rejections []rejection) response {
	switch scope := c.post.Scope; {
	case scope == Distribution:
		return s.refusedLot(c, status, rejections)
	case s.described:
		return s.describedRefusal(c, status, rejections)
	case scope == Issue:
		return s.refusing(c, status, rejections, map[string]any{"erros": inCapitals(rejections)})
	case scope == Cancel:
		return s.refusing(c, status, rejections, map[string]any{"erro": rejections})
	}
	return s.refusing(c, status, rejections, map[string]any{"erro": rejections[0]})
}

// describedRefusal is the same as the description has it: a list under erros, and one object under erro where an event
// was asked for, all in small letters.
func (s *Simulator) describedRefusal(c *call, status int, rejections []rejection) response {
	if c.post.Scope == Cancel {
		return s.refusing(c, status, rejections, map[string]any{"erro": rejections[0]})
	}
	return s.refusing(c, status, rejections, map[string]any{"erros": rejections})
}

func (s *Simulator) refusing(c *call, status int, rejections []rejection, body map[string]any) response {
	return response{status: status, body: s.envelope(c, body), refused: rejections}
}

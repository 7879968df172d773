package rules

import "emissor/nfse/fact"

// reasons are those for which rows of the built-in table are off, as facts. An operator's own reason
// stays in the operator's words.
var reasons = map[string]fact.Code{
	"nobody has reported a note of this city":                                         fact.CityUnreported,
	"the address of its production is not known, and its test system has older paths": fact.CityAddressUnknown,
	"how its server says that there is no note is not known":                          fact.CityNoneUnknown,
	"its server wants a token of each company, for which there is no place":           fact.CityTokenWanted,
}

// whyOff is why a row is off; none where it is on.
func whyOff(reason string) fact.Fact {
	if code, known := reasons[reason]; known {
		return code.Fact()
	}
	if reason == "" {
		return fact.Fact{}
	}
	return fact.InWords(reason)
}

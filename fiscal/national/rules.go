package national

import "emissor/fiscal"

// explain says in our words what a code means and what to do; field is the
// field of the API that it is about, nil when none. An unknown code gets the
// general words.
func explain(code string) (explanation, action string, field *string) { panic("placeholder") }

// treatment is what a rejection with this code asks for.
func treatment(code, complement string) fiscal.Treatment { panic("placeholder") }

// Package municipality tells which municipality of Brazil a zip code (CEP) belongs
// to. Municipalities are named by their IBGE codes; the directory of all of them is
// built in (Find, Exists).
//
// A Resolver looks a zip code up in several sources, in order: answers remembered
// from before, on-line services (NewViaCEP, NewBrasilAPI), imported ranges
// (ParseRanges) and built-in ranges. Decide then weighs the answer against the code
// that a caller declared:
//
//	viaCEP, err := municipality.NewViaCEP("https://viacep.com.br")
//	resolver := municipality.NewResolver(records, municipality.Options{Services: []municipality.Service{viaCEP}})
//	answer, err := resolver.Lookup(ctx, scope, "01310100")
//	decision, err := municipality.Decide(answer, declared)
//
// The on-line services are shared by all organizations. So that none harms another,
// each scope has a rate of look-ups and circuit breakers of its own.
//
// Built-in ranges (the 27 capitals, the largest cities) decide only where no on-line service is configured or
// all have said that they do not know.
//
// Two answers that look alike are kept apart everywhere: Unknown, when every source
// was asked and none knows the zip code, and Unavailable, when some source that may
// know could not be asked.
package municipality

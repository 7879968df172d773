package taxation

import "strings"

// The national tax codes that rules name, as Annex I of edition 1.01 lists them.
var (
	// needingWorks are the codes that need the group obra (E0370, E0372).
	needingWorks = codeSet(`070201 070202 070401 070501 070502 070601 070602 070701 070801 071701 071901
		141403 141404`)

	// deductingInSimples are the codes for which a company that pays its ISS within Simples Nacional may deduct (E0441,
	// E0442).
	deductingInSimples = codeSet(`042201 042301 050901 060101 060201 070201 070202 070501 070502 090201 090202
		100101 100102 100103 100104 100105 100201 100202 100301 100401 100402 100403 100501 100502 100601
		100701 100801 100901 101001 150101 150102 150103 150104 150105 151001 151002 151003 151004 151005
		160201 170501 170601 171001 171002 171101 171102 171201 210101 250301`)

	// belowLeastRate are those whose ISS may come under 2 percent of the price (E0429).
	belowLeastRate = codeSet(`042201 042301 050901 070201 070202 070501 070502 090201 090202
		100101 100102 100103 100104 100105 100201 100202 100301 100401 100402 100403 100501 100502 100601
		100701 100801 100901 101001 150101 150102 150103 150104 150105 151001 151002 151003 151004 151005
		160101 160102 160103 160104 160201 170501 170601 171001 171002 171101 171102 171201 210101 250301`)
)

func codeSet(codes string) map[string]bool {
	set := map[string]bool{}
	for _, code := range strings.Fields(codes) {
		set[code] = true
	}
	return set
}

// NeedsWorks reports whether a code needs the group obra (E0370).
func NeedsWorks(code string) bool { return needingWorks[code] }

// ForbidsProperty reports whether a code forbids the group imovel of IBS and CBS, as it has one
// of its own for construction (E0931).
func ForbidsProperty(code string) bool { return NeedsWorks(code) && !strings.HasPrefix(code, "1414") }

// NeedsEvent reports whether a code needs the group atvEvento (E0390).
func NeedsEvent(code string) bool { return strings.HasPrefix(code, "12") }

// MayDeductInSimples reports whether a company that pays its ISS within Simples Nacional may
// deduct from the base of a service (E0441, E0442).
func MayDeductInSimples(code string) bool { return deductingInSimples[code] }

// MayBeBelowLeastRate reports whether the ISS of a service may come under 2 percent of its
// price (E0429, E0444, E0447, E0575, E0587).
func MayBeBelowLeastRate(code string) bool { return belowLeastRate[code] }

// MayBenefitInSimples reports whether a company that pays its ISS within Simples Nacional may
// have a municipal benefit for a service (E0536).
func MayBenefitInSimples(code string) bool {
	return strings.HasPrefix(code, "0702") || strings.HasPrefix(code, "0705")
}

// NeverTaxed reports whether the ISS is never due of a service (E0532).
func NeverTaxed(code string) bool { return code == "990101" }

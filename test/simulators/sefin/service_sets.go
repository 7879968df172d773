package sefin

import "slices"

// Services by their subitem, or by a whole item, as Annex I lists them.
var (
	// simplesDeductions may deduct within Simples Nacional (E0441, E0442).
	simplesDeductions = slices.Concat(reducibleServices, []string{"0601", "0602"})
	// belowFloor may fall below 2 % of ISS (E0429, E0444, E0447, E0575, E0587, E1297).
	belowFloor = slices.Concat(reducibleServices, []string{"1601"})

	reducibleServices = []string{
		"0422", "0423", "0509", "0702", "0705", "0902", "10", "1501", "1510", "1602", "1705", "1706", "1710", "1711",
		"1712", "2101", "2503",
	}
)

func deductsInSimples(service string) bool { return isOf(service, simplesDeductions) }
func fallsBelowFloor(service string) bool  { return isOf(service, belowFloor) }

func isOf(service string, set []string) bool {
	return slices.Contains(set, service[:4]) || slices.Contains(set, service[:2])
}

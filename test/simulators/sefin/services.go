package sefin

import (
	"slices"
	"strings"
	"sync"
)

// nationalServices are the subitems of LC 116 with their national breakdown
// (Annex B, edition 1.01): item, then its subitems, each with the number of
// breakdowns when there is more than one.
const nationalServices = `
01: 01 02 03/2 04 05 06 07 08 09/2
02: 01
03: 02 03/5 04/3 05
04: 01/2 02/5 03/3 04 05 06 07 08/3 09 10 11 12 13 14 15 16 17/4 18 19 20 21 22 23
05: 01/2 02/2 03 04 05 06 07 08 09
06: 01 02 03 04 05 06
07: 01/6 02/2 03/2 04 05/2 06/2 07 08 09/2 10/2 11/2 12 13 16 17 18 19 20/3 21 22
08: 01/2 02
09: 01/4 02/2 03
10: 01/5 02/2 03 04/3 05/2 06 07 08 09 10
11: 01/2 02 03 04/2 05
12: 01 02 03 04 05 06 07 08 09/3 10 11 12 13 14 15 16 17
13: 02 03 04 05
14: 01 02 03 04 05 06 07 08 09 10 11 12 13/2 14/4
15: 01/5 02/8 03/8 04 05/5 06/8 07/4 08/4 09 10/5 11 12 13/6 14/3 15/2 16/2 17/3 18/5
16: 01/4 02
17: 01/2 02/5 03/3 04 05 06 08 09 10/2 11/2 12 13 14 15 16 17 18 19 20 21 22 23 24 25
18: 01/3
19: 01/2
20: 01/2 02 03
21: 01
22: 01
23: 01/2
24: 01/2
25: 01 02/2 03 04 05
26: 01/2
27: 01
28: 01
29: 01
30: 01/2
31: 01/4
32: 01
33: 01
34: 01
35: 01/3
36: 01
37: 01
38: 01
39: 01
40: 01
99: 01
`

var services = sync.OnceValue(func() map[string]bool {
	codes := map[string]bool{}
	for line := range strings.Lines(nationalServices) {
		item, subitems, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, subitem := range strings.Fields(subitems) {
			subitem, count, several := strings.Cut(subitem, "/")
			last := 1
			if several {
				last = int(count[0] - '0')
			}
			for i := range last {
				codes[item+subitem+twoDigits(int64(i+1))] = true
			}
		}
	}
	return codes
})

// serviceExists reports whether cTribNac is on the list.
func serviceExists(code string) bool { return services()[code] }

// nbsExists reports whether a cNBS can be one: of a chapter that NBS 2.0 has. It
// does not know the list of codes.
func nbsExists(code string) bool {
	return code == "999999999" || code[0] == '1' && code[1:3] >= "01" && code[1:3] <= "27" && code[1:3] != "16"
}

// constructions are the services of construction, which all need the group obra.
var constructions = []string{
	"070201", "070202", "070401", "070501", "070502", "070601", "070602", "070701", "070801", "071701", "071901",
}

// works are the services that need the group obra (E0370), which no other may
// have (E0372): those, and towing and lifting at one.
var works = slices.Concat(constructions, []string{"141403", "141404"})

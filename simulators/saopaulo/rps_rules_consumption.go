package saopaulo

import (
	"slices"
	"strings"
)

// taxSituations are the CST that a cClassTrib begins with.
var taxSituations = strings.Fields(
	"000 010 011 200 220 221 222 400 410 510 515 550 620 800 810 811 820 830")

// suspended is the CST that needs to know what it would be without suspension.
const suspended = "550"

// checkConsumption checks what is said for IBS and CBS. Whether a code is in the tables
// is not known: only what no table has is refused.
func (r *review) checkConsumption() {
	const group = "IBSCBS/valores/trib/gIBSCBS"
	class := r.get(group + "/cClassTrib")
	regular := r.get(group + "/gTribRegular/cClassTribReg")
	r.rejectIf(!strings.HasPrefix(r.get("NBS"), "1"), 268)
	r.rejectIf(r.get("IBSCBS/cIndOp") == "000000", 630)
	r.rejectIf(!slices.Contains(taxSituations, class[:3]) || class[3:] == "000", 628)
	r.rejectIf(strings.HasPrefix(class, suspended) && regular == "", 281)
	r.rejectIf(!strings.HasPrefix(class, suspended) && regular != "", 282)
	r.rejectIf(regular != "" && !slices.Contains(taxSituations, regular[:3]), 274)
	r.rejectIf(r.get("IBSCBS/indDest") == "0" && r.has("IBSCBS/dest"), 299)
	r.rejectIf(r.get("IBSCBS/indDest") == "1" && !r.has("IBSCBS/dest"), 243, "destinatário")
}

package sefin

// isAbroad reports whether the service is performed in another country.
func (d *dps) isAbroad() bool { return d.has("serv/locPrest/cPaisPrestacao") }

// concernsAbroad reports whether something of a service is abroad: who takes it, who brings
// the parties together, where it is performed or, of an export, its result. Then it needs a
// NBS (E0318: the table of scenarios asks for it of every export, the rule's text does not)
// and what foreign trade wants to know (E0330).
func (d *dps) concernsAbroad() bool {
	return d.has("toma/end/endExt") || d.has("interm/end/endExt") || d.isAbroad() ||
		d.get(tribMun+"/tribISSQN") == exported
}

// foreignTrade is the group comExt.
func (r *dpsReview) foreignTrade() {
	const trade = "serv/comExt"
	r.rejectIf(r.concernsAbroad() && !r.has(trade), "E0330")
	r.rejectIf(r.get(trade+"/mdPrestacao") == "0", "E0333")
	r.rejectIf(r.get(trade+"/mecAFComexP") == "00", "E0341")
	r.rejectIf(r.get(trade+"/mecAFComexT") == "00", "E0343")
	goods := r.get(trade + "/movTempBens")
	r.rejectIf(goods == "0", "E0345")
	r.rejectIf(goods == "2" && !r.has(trade+"/nDI"), "E0352")
	r.rejectIf(goods == "1" && (r.has(trade+"/nDI") || r.has(trade+"/nRE")), "E0354")
	r.rejectIf(goods == "3" && !r.has(trade+"/nRE"), "E0356")
}

// export tells by the scenario (taker, place and where the ISS would be due) whether it may be
// said of a service that it is taxed or that it is exported, and whether the country of its
// result must be said.
func (r *dpsReview) export() {
	said, due := r.get(tribMun+"/tribISSQN"), dueAt(r.serviceCode())
	takerAbroad := r.has("toma/end/endExt")
	isTaxed := !r.isAbroad() && (due == performedAt || due == atRecipient && !takerAbroad)
	isExport := r.isAbroad() && (due == performedAt || due == atRecipient && takerAbroad)
	r.rejectIf(said == exported && isTaxed, "E0529")
	r.rejectIf(said == taxed && isExport, "E0530")
	hasResult := said == exported && !r.isAbroad() && !isTaxed
	r.rejectIf(hasResult && !r.has(tribMun+"/cPaisResult"), "E0590")
	r.rejectIf(!hasResult && r.has(tribMun+"/cPaisResult"), "E0591")
}

package sefin

// site is where works are or an event is, which must be where the service is performed.
func (r *dpsReview) site() {
	r.siteAddress("serv/obra/end", "E0380", "E0382", "E0384", "E0386")
	r.siteAddress("serv/atvEvento/end", "E0398", "E0400", "E0402", "E0404")
}

// siteAddress is given by CEP in Brazil, and in another form abroad; the schema wants one of
// the two.
func (r *dpsReview) siteAddress(path, otherCity, cepAbroad, noAddressAbroad, addressAbroad string) {
	if !r.has(path) {
		return
	}
	cep, municipality := r.get(path+"/CEP"), r.get("serv/locPrest/cLocPrestacao")
	if municipality == "" {
		r.rejectIf(cep != "", cepAbroad)
		r.rejectIf(!r.has(path+"/endExt"), noAddressAbroad)
		return
	}
	r.rejectIf(r.has(path+"/endExt"), addressAbroad)
	r.rejectIf(cep != "" && !r.registry.postalCodeOf(cep, municipality), otherCity)
}

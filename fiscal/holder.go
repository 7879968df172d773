package fiscal

import "emissor/nfse"

// Holder is whom a certificate must name to sign for an issuer at an authority.
type Holder struct {
	TaxID nfse.TaxID // the issuer's
	// Exact says that the certificate must be of this very establishment. Else one of any
	// establishment of the company signs for all: their CNPJs have the same root, which is the
	// first 8 characters. A CPF is always its own.
	Exact bool
}

// SignerOf is whom a certificate must name to sign what the issuer of a profile sends.
func SignerOf(authority Authority, profile nfse.FiscalProfile) Holder {
	holder := HolderOf(authority, profile.TaxID)
	holder.Exact = holder.Exact || profile.ExactCertificate
	return holder
}

// HolderOf is whom a certificate must name to ask this authority on behalf of an issuer.
func HolderOf(authority Authority, issuer nfse.TaxID) Holder {
	return Holder{TaxID: issuer, Exact: authority.Capabilities().ExactHolder}
}

// Is reports whether a certificate that names this tax id is one of the holder.
func (h Holder) Is(named nfse.TaxID) bool {
	const root = 8
	if !h.Exact && h.TaxID.IsCNPJ() && named.IsCNPJ() {
		return h.TaxID[:root] == named[:root]
	}
	return h.TaxID == named
}

package fiscal

import (
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// ReceivedRole is what a company is in a document of another issuer.
type ReceivedRole string

// The roles.
const (
	RoleTaker        ReceivedRole = "taker"
	RoleIntermediary ReceivedRole = "intermediary"
	RoleProvider     ReceivedRole = "provider" // another party has issued it (tpEmit 2 or 3)
	RoleUnknown      ReceivedRole = "unknown"  // none of its parties is the company that it was distributed to
)

// ReceivedDocument is a document of another issuer that was distributed to a company. Its texts
// are somebody else's; a member that the document does not have, or has twice, is empty.
type ReceivedDocument struct {
	Role         ReceivedRole
	IssuerTaxID  nfse.TaxID // emit: CNPJ or CPF
	IssuerName   string
	Number       string    // nNFSe
	Competence   nfse.Day  // dCompet; the day of IssuedAt where it is none
	IssuedAt     time.Time // dhProc: when the authority made it
	ServiceCode  string    // cTribNac
	Description  string    // xDescServ
	Municipality string    // cLocIncid: where the ISS is due
	Totals       nfse.Totals
	// ISSWithheldBy is tpRetISSQN: 1 nobody, 2 the taker, 3 the intermediary; 0 where it is not said.
	ISSWithheldBy int
	// SignatureProblem says why the authority's signature does not count. It is a function
	// because the check is costly, and not made of documents on record.
	SignatureProblem func() fact.Fact
}

// Federal is what of federal taxes (IRRF; PIS, COFINS and CSLL; INSS) the document says was withheld, in
// cents; nil where it says nothing.
func (d ReceivedDocument) Federal() *int64 {
	return nfse.SumCents(d.Totals.IRRFCents, d.Totals.CSRFCents, d.Totals.INSSCents)
}

// Package certificate reads A1 certificates of ICP-Brasil: an organization's RSA
// key and chain as they come in a PFX file, the CNPJ or CPF that they name, and
// whether an authority can be expected to accept them.
//
//	bundle, err := certificate.ReadPFX(content, password)
//	err = bundle.Check(certificate.Checks{Holder: holder, At: time.Now(), Roots: roots})
//	named, err := bundle.TaxID()
//	secret, err := bundle.Marshal() // to be sealed; Parse reads it back
//
// A key may also stay on a token or in a service (A3): then ExternalBundle has the certificates and a reference, and a
// SigningProgram signs.
//
// Nothing here prints or logs a key. What the owner of a file can put right is an
// *nfse.Error. Package certificatetest makes certificates for tests.
package certificate

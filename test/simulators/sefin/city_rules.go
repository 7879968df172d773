package sefin

import (
	"crypto/x509"
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

// simplesNational is the first competence on which who is in Simples issues nationally, no matter what the city does
// (CGSN 191).
const simplesNational = "2026-11-01"

// taken are the rules of a city of its own, in place of those of municipalities that are on the
// national emitter. That who is in Simples is refused, and how, is this simulator's choice.
func (r *dpsReview) taken() {
	series, _ := strconv.Atoi(r.get("serie"))
	r.rejectIf(r.get("cLocEmi") != r.city.Municipality || r.get("prest/IM") == "", "L0005")
	r.rejectIf(series < r.city.FirstSeries, "L0022")
	if r.simples() != outsideSimples && r.get("dCompet") >= simplesNational {
		r.found = append(r.found, rejection{Text: "Contribuinte do Simples Nacional: emita pelo emissor nacional."})
	}
}

// municipalCode is the city's own code of the service, wanted of each.
func (r *dpsReview) municipalCode() {
	code, tied := r.get("serv/cServ/cTribMun"), r.city.Codes[r.serviceCode()]
	r.rejectIf(code == "" && r.city.Clone == "", "L0017")
	r.rejectIf(code != "" && tied != nil && !slices.Contains(tied, code), "L0001")
}

// cityTexts are the words of the codes that only cities have; the real ones are not known.
var cityTexts = map[string]string{
	"L0001": "Código de tributação municipal não vinculado ao cadastro econômico do prestador.",
	"L0005": "CNPJ ou inscrição municipal do prestador inválidos.",
	"L0017": "Código de tributação municipal não informado.",
	"L0022": "Série reservada ao sistema do município. Utilize de 10001 a 49999.",
	"L9999": "JDBC exception: ORA-02049: timeout: distributed transaction waiting for lock",
}

// noSuchNoteText is what E0044 says at a city; of a DPS it is about what is replaced.
const noSuchNoteText = "NFS-e não existe na base de dados do autorizador."

// signedForCity refuses a signature that a city does not take: any but inclusive canonical XML with
// RSA-SHA1 and SHA-1, and where it is wanted one that names no subject, issuer and serial number.
func (c *City) signedForCity(root *etree.Element, codes signatureCodes) *rejection {
	if c.Clone != "" {
		return nil // what SEFIN takes
	}
	const of = "http://www.w3.org/2000/09/xmldsig#"
	info := xmltree.At(root, "Signature/SignedInfo")
	reference := xmltree.At(info, "Reference")
	transforms := xmltree.At(reference, "Transforms").ChildElements()
	wrong := xmltree.AlgorithmAt(info, "CanonicalizationMethod") != inclusive ||
		xmltree.AlgorithmAt(info, "SignatureMethod") != of+"rsa-sha1" ||
		xmltree.AlgorithmAt(reference, "DigestMethod") != of+"sha1" ||
		len(transforms) != 2 || transforms[0].SelectAttrValue("Algorithm", "") != enveloped ||
		transforms[1].SelectAttrValue("Algorithm", "") != inclusive
	switch {
	case wrong:
		return reject(codes.wrong).withComplement("Only C14N 2001 inclusive, rsa-sha1 and sha1 are taken.")
	case c.FullKey && !namesCertificate(xmltree.At(root, "Signature/KeyInfo/X509Data")):
		return reject(codes.wrong).withComplement("obj must not be null")
	}
	return nil
}

// namesCertificate reports whether a KeyInfo names its certificate, which was read before.
func namesCertificate(data *etree.Element) bool {
	der, err := base64.StdEncoding.DecodeString(xmltree.TextAt(data, "X509Certificate"))
	if err != nil {
		return false
	}
	certificate, err := x509.ParseCertificate(der)
	return err == nil && xmltree.TextAt(data, "X509SubjectName") == certificate.Subject.String() &&
		xmltree.TextAt(data, "X509IssuerSerial/X509IssuerName") == certificate.Issuer.String() &&
		xmltree.TextAt(data, "X509IssuerSerial/X509SerialNumber") == certificate.SerialNumber.String()
}

// byCities adds to a registry that the cities which are played issue on systems of their own.
func byCities(registry Registry, cities map[string]*City) Registry {
	if len(cities) == 0 {
		return registry
	}
	municipalities := map[string]Agreement{}
	for _, city := range cities {
		municipalities[city.Municipality] = Agreement{OwnIssuer: true}
	}
	for code, agreement := range registry.Municipalities {
		municipalities[code] = agreement
	}
	registry.Municipalities = municipalities
	return registry
}

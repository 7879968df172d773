package sefin_test

import (
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"
)

const (
	namespace   = "http://www.sped.fazenda.gov.br/nfse"
	declaration = `<?xml version="1.0" encoding="UTF-8"?>`
)

func pack(document string) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = io.WriteString(writer, document)
	_ = writer.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

func unpack(t *testing.T, packed any) string {
	t.Helper()
	text, isText := packed.(string)
	if !isText {
		t.Fatalf("no document: %v", packed)
	}
	compressed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	document, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(document)
}

// change replaces a piece of a document, which must be there.
type change struct{ from, to string }

func apply(t testing.TB, text string, changes []change) string {
	t.Helper()
	for _, c := range changes {
		if !strings.Contains(text, c.from) {
			t.Fatalf("the document does not hold %q", c.from)
		}
		text = strings.Replace(text, c.from, c.to, 1)
	}
	return text
}

// infDPS is what is signed of a valid DPS of the issuer, with changes.
func infDPS(t testing.TB, number int, changes ...change) string {
	t.Helper()
	return apply(t, fmt.Sprintf(`<infDPS Id="DPS33045572%s00001%015d">`+
		`<tpAmb>2</tpAmb><dhEmi>2026-11-21T08:00:00-03:00</dhEmi><verAplic>test</verAplic>`+
		`<serie>1</serie><nDPS>%d</nDPS>`+
		`<dCompet>2026-11-21</dCompet><tpEmit>1</tpEmit><cLocEmi>3304557</cLocEmi>`+
		`<prest><CNPJ>%s</CNPJ><regTrib><opSimpNac>1</opSimpNac><regEspTrib>0</regEspTrib></regTrib></prest>`+
		`<toma><CNPJ>%s</CNPJ><xNome>Cliente &amp; Filhos LTDA</xNome>`+
		`<end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>`+
		`<xLgr>Rua da Assembleia</xLgr><nro>10</nro><xBairro>Centro</xBairro></end>`+
		`<email>fiscal@example.com</email></toma>`+
		`<serv><locPrest><cLocPrestacao>3304557</cLocPrestacao></locPrest>`+
		`<cServ><cTribNac>010701</cTribNac><xDescServ>Suporte técnico &lt;mensal&gt;</xDescServ>`+
		`<cNBS>115013000</cNBS><cIntContrib>nota42</cIntContrib></cServ></serv>`+
		`<valores><vServPrest><vServ>1500.00</vServ></vServPrest>`+
		`<trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN></tribMun>`+
		`<totTrib>`+percentages+`</totTrib></trib></valores></infDPS>`,
		issuer, number, number, issuer, taker), changes)
}

// percentages are the approximate taxes that an issuer outside Simples Nacional
// says.
const percentages = `<pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst>` +
	`<pTotTribMun>2.90</pTotTribMun></pTotTrib>`

// dps is a signed DPS.
func (c *client) dps(number int, changes ...change) string {
	c.t.Helper()
	return c.wrap("DPS", infDPS(c.t, number, changes...))
}

// eventRequest is a signed request for an event.
func (c *client) eventRequest(key, kind string, changes ...change) string {
	c.t.Helper()
	description := map[string]string{
		"101101": "Cancelamento de NFS-e", "101103": "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
	}[kind]
	return c.wrap("pedRegEvento", apply(c.t, fmt.Sprintf(`<infPedReg Id="PRE%s%s">`+
		`<tpAmb>2</tpAmb><verAplic>test</verAplic><dhEvento>2026-11-21T08:30:00-03:00</dhEvento>`+
		`<CNPJAutor>%s</CNPJAutor><chNFSe>%s</chNFSe>`+
		`<e%s><xDesc>%s</xDesc><cMotivo>1</cMotivo><xMotivo>Erro na emissao da nota</xMotivo></e%s></infPedReg>`,
		key, kind, issuer, key, kind, description, kind), changes))
}

// profile is how a document is signed.
type profile struct {
	canonical string
	hash      crypto.Hash
}

var usual = profile{"http://www.w3.org/TR/2001/REC-xml-c14n-20010315", crypto.SHA256}

func (c *client) wrap(root, signed string) string {
	return wrap(root, signed, c.signature(signed, usual))
}

func wrap(root, signed, signature string) string {
	return declaration + `<` + root + ` xmlns="` + namespace + `" versao="1.01">` + signed + signature +
		`</` + root + `>`
}

// signature signs text that is canonical as it is, but for its namespace.
func (c *client) signature(signed string, p profile) string {
	c.t.Helper()
	return c.signatureOf(signed, p, func(info string) string { return info })
}

// signatureOf signs text with a SignedInfo that is changed before.
func (c *client) signatureOf(signed string, p profile, change func(info string) string) string {
	const xmldsig = ` xmlns="http://www.w3.org/2000/09/xmldsig#"`
	c.t.Helper()
	digestMethod := "http://www.w3.org/2001/04/xmlenc#sha256"
	signatureMethod := "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
	if p.hash == crypto.SHA1 {
		digestMethod = "http://www.w3.org/2000/09/xmldsig#sha1"
		signatureMethod = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
	}
	id := strings.SplitN(signed, `"`, 3)[1]
	canonical := strings.Replace(signed, " Id=", ` xmlns="`+namespace+`" Id=`, 1)
	info := `<SignedInfo` + xmldsig + `>` +
		`<CanonicalizationMethod Algorithm="` + p.canonical + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="` + signatureMethod + `"></SignatureMethod>` +
		`<Reference URI="#` + id + `"><Transforms>` +
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>` +
		`<Transform Algorithm="` + p.canonical + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="` + digestMethod + `"></DigestMethod>` +
		`<DigestValue>` + digest(p.hash, canonical) + `</DigestValue></Reference></SignedInfo>`
	info = change(info)
	key := c.certificate.PrivateKey.(*rsa.PrivateKey)
	value, err := rsa.SignPKCS1v15(rand.Reader, key, p.hash, sum(p.hash, info))
	if err != nil {
		c.t.Fatal(err)
	}
	return `<Signature` + xmldsig + `>` + strings.Replace(info, xmldsig, "", 1) +
		`<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue>` +
		`<KeyInfo><X509Data><X509Certificate>` + base64.StdEncoding.EncodeToString(c.certificate.Certificate[0]) +
		`</X509Certificate></X509Data></KeyInfo></Signature>`
}

func digest(hash crypto.Hash, text string) string {
	return base64.StdEncoding.EncodeToString(sum(hash, text))
}

func sum(hash crypto.Hash, text string) []byte {
	if hash == crypto.SHA1 {
		digest := sha1.Sum([]byte(text))
		return digest[:]
	}
	digest := sha256.Sum256([]byte(text))
	return digest[:]
}

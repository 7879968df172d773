// Package saopaulo simulates the city of São Paulo's service of Nota Fiscal Paulistana,
// layout 2, for development and tests only. What it issues has no fiscal value.
//
// It shares no code with the client, whose mistakes it is to find: it parses, checks
// the schema, verifies signatures and makes keys by itself. Command
// saopaulo-simulator runs it; a test may start one of its own:
//
//	simulator, err := saopaulo.Start(saopaulo.Options{})
//	defer simulator.Close()
//	pfx, err := simulator.NewPFX(saopaulo.Subject{TaxID: "11222333000181"}, "password")
//	// send to simulator.URL(), trusting simulator.Roots()
//	err = simulator.SetFaultProfile(saopaulo.FaultProfile{Seed: 1, Faults: []saopaulo.Fault{
//		{Kind: saopaulo.Drop, Scope: saopaulo.Issue, After: true, Probability: 0.2},
//		{Kind: saopaulo.Hide, Scope: saopaulo.Query, Delay: saopaulo.Duration(time.Second)},
//	}})
//	for _, note := range simulator.Ledger() {
//		if note.CancelledBy == saopaulo.ByResend {
//			// somebody sent an RPS again, and destroyed a note
//		}
//	}
//
// # What is checked
//
// In this order. The first step that finds something ends the checks, and says all
// it found.
//
//   - Transport: TLS 1.2 or 1.3, HTTP/1.1, a client certificate of the test ICP (403).
//   - SOAP 1.1 (text/xml, SOAPAction in quotes) or 1.2 (application/soap+xml; SOAPAction, an
//     action of the media type, or neither): 415, or the faults of ASP.NET. Another wrapper or an
//     empty MensagemXML is 1102, more than 500 KB 1101. Registry.WantsSOAPAction and RefuseSOAP11
//     take less, as users of the service reported.
//   - The message: XML without declaration, DOCTYPE, comments and white space between
//     elements, Latin-1 characters, layout 2 (1002; 631 to who issues in layout 1), the
//     schemas of edition v02-4 with what v02-5 adds, no empty elements and no zeros before
//     numbers but for registrations and codes of services, which are compared as numbers (1001
//     with the words of the .NET validator, up to twenty at once). The root may have a prefix.
//   - XMLDSig, enveloped, URI="", C14N, RSA-SHA1, with its certificate (1050 to 1057); its
//     CNPJ is the sender's and that of the connection (1100).
//   - RPS: the registration (1202, 1107, 1208, 359, 641, 1207), the signed string (1206
//     with the string as this package makes it), dates (313, 314), number (315).
//   - Code and taxation: 206, 209, 222, 225, 306, 308 to 310, 335, 361, 367, 1222, 1223, 1225,
//     1229, 1232, 1234; alerts 208, 307. What is claimed by it: immunities (1212, 1213, 1227,
//     1233, 1236) and benefits (1233, 1254 to 1256, 1613 to 1615; alerts 1251 to 1253, 1612).
//   - Withholding (311, 321, 505, 1228, 1417 to 1419, 1421, 1422, 1616), amounts (303, 304,
//     640, 1631, 1633).
//   - Taker: 219, 220, 246, 247, 251 to 253, 256, 261, 285, 302, 317, 318, 342; alerts 214, 221,
//     301, 337. Other addresses: 251 to 253, 260.
//   - Place, event and property: 263, 265, 267, 270, 296, 620, 621, 627, 629, 630, 637.
//   - IBS and CBS: 243, 268, 273, 274, 277, 280 to 283, 295, 299, 628.
//   - Lots: 104, 106, 107, 108, 207, 215, 1201, 1203.
//   - An RPS that made a note before: 216 (by hand), 223 (cancelled), 372, 373, 218, 338
//     (marks), 324 (too late). Otherwise its note is cancelled, another is issued, and
//     alert 217 says so: decided and written under one lock.
//   - Cancelling: 1303, the string of 20 or 24, and of no other width (1305), 1304, 1107,
//     alerts 1301 and 1302, 1306, 324, 323, 386. Queries: 1401, 1106, 1107, 1403, 1109; alert 1405.
//
// # What is not simulated
//
//   - Registers: everything that is valid in itself is accepted, unless Registry says otherwise. A
//     municipality exists when its code has a right check digit, a service when its code
//     has four digits as a number, a CEP in its state. Of cClassTrib (2026-10-01) and cIndOp (Annex
//     VII, v1.02.00) the tables are known, of NBS only how its codes begin.
//   - Layout 1, the asynchronous host, ConsultaNFeRecebidas, ConsultaLote and
//     ConsultaInformacoesLote, payment guides as such. StatusRPS C and E is answered with 501.
//   - Of a note, what is computed is ISS (rounded half up) and, for CST 000, IBS and CBS at
//     the rates of 2026; name and address of the issuer are made up.
//   - Where nothing is published, it was chosen: what is said of an unknown note to be
//     cancelled (1304), Sucesso beside 216 (true), that ConsultaNFe shows the last note of an
//     RPS only, the order of checks, the wording of 223, 637 and 640. That the taker is the
//     provider is taken for the alert 301 that is listed beside the error of the same code.
//   - Chosen as well is which of several codes is meant. Of a cClassTrib: 273 when it begins
//     with no CST, 628 when it is not in the table or not in force, 277 when it is not for
//     services; of a regular one: 280 when it is not for services, else 274. 281 and 282
//     follow from the table. 310 is a code of zeros, 296 a property or works numbered by
//     zeros. Of an address of a company 317 is that it lacks everything, 251 to 253 that it
//     lacks a part. 342 and 260 are a CEP of another state. 1254 is a missing benefit for A
//     and B, 1255 for D. 283 is that the taker has no CNPJ, 295 that tpEnteGov stands alone.
package saopaulo

// Package standin is a stand-in of the national tax authority (SEFIN Nacional and
// the contributor's routes of the ADN), for development and tests only. What it
// signs has no fiscal value, and says so.
//
// It shares nothing with package national, whose mistakes it is there to catch: it
// parses, checks the schema, verifies signatures and makes access keys by itself.
//
//	authority, err := sefin.Start(sefin.Options{})
//	defer authority.Close()
//	pfx, err := authority.NewPFX(sefin.Subject{Document: "11222333000181"}, "password")
//	// issue against authority.URL(), believing authority.Roots()
//	err = authority.SetFaults(sefin.Faults{Seed: 1, List: []sefin.Fault{
//		{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Probability: 0.2},
//	}})
//	issued := authority.Ledger()
//
// # What is checked
//
// In this order; the first step that finds something ends the look, and says all
// it found.
//
//   - Transport: TLS 1.2 or 1.3, HTTP/1.1, a client certificate of the test ICP
//     (E1200, E1203, E1205, E1208, E1209).
//   - Envelope: JSON property (RNG9999), base64 (E1225), gzip and well-formed XML
//     without DOCTYPE (E1226), root (E1242), prefixes (E1228), UTF-8 (E1229).
//   - Schema 1.01 of DPS, and of the requests e101101 and e101103 (E1235 with the
//     words of the .NET validator).
//   - Series and number not used before (E0014), decided again when the note is
//     written, under one lock.
//   - Version (E0001); who issues, Id, environment, series (E9996, E0112, E0114,
//     E0004, E0006, E0010); dates (E0008, E0015); municipality (E0037, E0038,
//     E0039, E0016); signature (E0717, E0714, E0715, E0716, E0718).
//   - Provider (E0080, E0121, E0128, E0018, E0020, E0084, E0116, E0120, E0160) and
//     its regime (E0162, E0166, E0172, E0174, E0175).
//   - Taker (E0188, E0190, E0202, E0204, E0206, E0207, E0234, E0237, E0238, E0240,
//     E0247, E0667).
//   - Service (E0302, E0304, E0310, E0315, E0316, E0322, E0370, E0372, E0390, E0392).
//   - Amounts (E0424, E0427, E0431, E0432), withholding (E0580, E0583, E0588), rate
//     (E0595 and the table of pAliq), totals (E0710, E0712, E0713), federal taxes
//     (E0676, E0694, E0696, E0699, E0700, E0701, E0720, E0724), IBS and CBS (E0850,
//     E0854, E0901, E0910), replacement (E0042, E0044, E0046, E0050, E0060, E0061,
//     E0078).
//   - Events: version, Id, environment, time (E1825, E1827, E1845, E1843), signature
//     (E1989, E1980, E1983, E1986), author (E0812, E0813, E0815, E0816), the note
//     (E1831), the same request again (E0802), other events (E0840, E0848),
//     deadline, limit and taker (E0822, E0823, E0824).
//
// # What is not
//
//   - Registers: whatever is valid in itself is believed, unless Registry says
//     otherwise. A municipality exists when its code has a right check digit, a CEP
//     belongs to a municipality when it lies in its state, an NBS code exists when
//     its chapter does, and every cIndOp but 000000 exists.
//   - Where ISS is due follows LC 116, art. 3, by subitem; municipalities' own
//     administration of services (E0312, E0314), benefits, and real rates are not
//     known. There is no revocation list.
//   - Of the NFS-e, the group IBSCBS is not computed, and names of municipalities,
//     services and issuers are made up.
//   - Layout NT 009 is not read: see WrongLayout. Interm, obra, comExt and the like
//     are held to the schema, not to rules of their own. Of xmldsig, what the
//     samples use is accepted, and no optional attribute.
//   - Of the manifestations by other parties and of what a municipality registers,
//     RegisterEvent makes some; none can be sent. The ADN knows documents that were
//     made here only.
//   - Some codes of queries (E2400, E2403, E2404, E2214) are made up: only the
//     status is known of the real ones.
package sefin

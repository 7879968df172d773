// Package sefin plays the national tax authority (SEFIN Nacional and the
// contributor's routes of the ADN), for development and tests only. What it signs
// has no fiscal value, and says so.
//
// It shares no code with the client, package fiscal/national, whose mistakes it is
// there to catch: it parses, checks the schema, verifies signatures and makes access
// keys by itself. Command sefin-simulator runs it; a test may start one of its own:
//
//	simulator, err := sefin.Start(sefin.Options{})
//	defer simulator.Close()
//	pfx, err := simulator.NewPFX(sefin.Subject{TaxID: "11222333000181"}, "password")
//	// issue against simulator.URL(), trusting simulator.Roots()
//	err = simulator.SetFaultProfile(sefin.FaultProfile{Seed: 1, Faults: []sefin.Fault{
//		{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Probability: 0.2},
//	}})
//	issued := simulator.Ledger()
//
// # What is checked
//
// In this order. The first step that finds something ends the checks, and says all
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
//   - Version (E0001); Id, environment, series (E0004, E0006, E0010); dates (E0008,
//     E0015); municipality (E0037, E0038, E0039, E0016); signature (E0717, E0714,
//     E0715, E0716, E0718).
//   - Provider (E0080, E0121, E0128, E0018, E0020, E0084, E0116, E0120, E0160) and
//     its regime (E0162, E0166, E0174, E0175).
//   - Taker (E0188, E0190, E0202, E0204, E0206, E0207, E0234, E0237, E0238, E0240,
//     E0247, E0667).
//   - Service (E0302, E0310, E0315, E0316, E0322, E0370, E0372, E0390, E0392).
//   - Withholding (E0583, E0588), rate (E0595 and the table of pAliq), totals (E0710,
//     E0712, E0713), IBS and CBS (E0850, E0901, E0910).
//   - Events: version, Id, environment, time (E1825, E1827, E1845, E1843), signature
//     (E1989, E1980, E1983, E1986), author (E0812, E0813, E0815, E0816), the note
//     (E1831), the same request again (E0802), other events (E0840, E0848),
//     deadline, limit and taker (E0822, E0823, E0824).
//
// # What is not simulated
//
//   - Registers: whatever is valid in itself is accepted, unless Registry says
//     otherwise. A municipality exists when its code has a right check digit, a CEP
//     belongs to a municipality when it lies in its state, an NBS code exists when
//     its chapter does, and every cIndOp but 000000 exists.
//   - Where ISS is due follows LC 116, art. 3, by subitem; municipalities' own
//     administration of services (E0312, E0314), benefits, and real rates are not
//     known. There is no revocation list.
//   - Of a valid DPS, what no layout of Emissor writes: replacement (subst),
//     intermediaries, services abroad, discounts, deductions, federal taxes,
//     suspension and benefits, what is not taxable, issuing by the taker. It is
//     answered with 501. Groups obra and atvEvento are held to the schema only.
//   - Of the NFS-e, the group IBSCBS is not computed, and names of municipalities,
//     services and issuers are made up.
//   - Layout NT 009 is not read: see WrongLayout. Of xmldsig, what the samples use is
//     accepted, and no optional attribute.
//   - The events of other parties and what a municipality registers RegisterEvent
//     makes; none can be sent. The ADN knows documents that were made here only, and
//     what Distribute adds to them.
//   - Some codes of queries (E2400, E2403, E2404) are made up: only the
//     status is known of the real ones.
package sefin

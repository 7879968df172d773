// Package sefin simulates the national tax authority (SEFIN Nacional, and of the ADN the
// contributor's routes and municipal parameters), for development and tests only.
// What it signs has no fiscal value, and says so.
//
// It shares no code with the client, package fiscal/national, whose mistakes it is to
// find: it parses, checks the schema, verifies signatures and makes access keys by
// itself. Command sefin-simulator runs it; a test may start one of its own:
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
//     words of the .NET validator). From the day that Registry.IBSCBSRequiredFrom
//     says, a DPS without the group IBSCBS is one that misses an element. No rule of
//     Annex I v1.01 asks for the group: E1235 is this simulator's choice, the real
//     code is not known.
//   - Series and number not used before (E0014), decided again when the note is
//     written, under one lock.
//   - Version (E0001); Id, environment, series (E0004, E0006, E0010); dates (E0008,
//     E0015); municipality (E0037, E0038, E0039, E0016); signature (E0717, E0714,
//     E0715, E0716, E0718).
//   - Provider (E0080, E0121, E0128, E0018, E0020, E0084, E0116, E0120, E0160) and
//     its regime (E0162, E0166, E0174, E0175).
//   - Taker (E0187, E0188, E0190, E0202, E0204, E0206, E0207, E0234, E0237, E0238, E0240,
//     E0247, E0667).
//   - Service (E0302, E0310, E0315, E0316, E0322, E0370, E0372, E0390, E0392).
//   - Withholding (E0583, E0588), rate (E0595 and the table of pAliq), totals (E0710,
//     E0712, E0713).
//   - IBS and CBS (E0850): the operation (E0901 by Annex C v1.01, E0903 to E0907), the
//     recipient (E0910 to E0914, E0920, E0930), real estate (E0928, E0931, E0932,
//     E0935), the classification by the table of cClassTrib of 2026-10-01 (E0958, E0959,
//     E0964, E0965, E0969 to E0972). Codes that the real calculator may not know yet
//     are accepted, unless Registry.UnknownClassTribs says otherwise. E0854 and E0934
//     cannot come: version 1.00 and services abroad end before.
//   - Events: version, Id, environment, time (E1825, E1827, E1845, E1843), signature
//     (E1989, E1980, E1983, E1986), author (E0812, E0813, E0815, E0816), the note
//     (E1831), the same request again (E0802), other events (E0840, E0848),
//     deadline, limit and taker (E0822, E0823, E0824).
//
// # What is not simulated
//
//   - Registers: whatever is valid in itself is accepted, unless Registry says
//     otherwise. A municipality exists when its code has a right check digit, a CEP
//     belongs to a municipality when it lies in its state, and an NBS code exists when
//     its chapter does.
//   - Where ISS is due follows the rules E1317 to E1325; municipalities' own
//     administration of services (E0312, E0314), benefits, and rates but those of the
//     Registry are not known. There is no revocation list.
//   - Of a valid DPS, what no layout of Emissor writes: replacement (subst),
//     intermediaries, services abroad, discounts, deductions, federal taxes,
//     suspension and benefits, what is not taxable, issuing by the taker. It is
//     answered with 501, and so are presumed credits (cCredPres) and reimbursements
//     (gReeRepRes) of the group IBSCBS. Groups obra and atvEvento are held to the schema
//     only, and so is the number of a property (cCIB, E0933).
//   - Of the NFS-e, names of municipalities, services and issuers are made up.
//   - The group IBSCBS of the NFS-e follows the sums of the layout, with the rates of
//     LC 214 for a test (2026: IBS 0.10 % of the state, CBS 0.90 %; from 2027: IBS 0.05 %
//     each, and CBS as before, because its rate is not fixed yet). Sectoral, national and
//     fixed rates (CST 010, 011, 221) are not known: these are used for them too. Without
//     a rate (CST 400, 410, 550, 800, 811, 820) rates and amounts are zero; what is
//     deferred stays in the amount; the reduction for governments (pRedutor) is zero.
//     The place of a recipient without an address is the issuer's, and one abroad is
//     9999999, because the schema does not take the 999999 of E1521.
//   - Layout NT 009 is not read: see WrongLayout. Of xmldsig, what the samples use is
//     accepted, and no optional attribute.
//   - The events of other parties and what a municipality registers RegisterEvent
//     makes; none can be sent. The ADN knows documents that were made here only, and
//     what Distribute adds to them.
//   - Of municipal parameters, cities agree with Registry; there are no special
//     regimes and no benefits, and a rate changes nothing of a note.
//   - Some codes of queries (E2400, E2403, E2404) are made up: only the
//     status is known of the real ones.
package sefin

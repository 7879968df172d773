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
//   - Transport: TLS 1.2, HTTP/1.1, a client certificate of the test ICP, for which SEFIN asks by
//     renegotiation, after the head of a request. With Options.AsDescribed: 1.2 or 1.3, in the first
//     handshake, and E1200, E1203, E1205, E1208 or E1209 to who has none that is let in.
//   - Envelope: JSON property (RNG9999), base64 (E1225), gzip and well-formed XML
//     without DOCTYPE (E1226), root (E1242), prefixes (E1228), declared as UTF-8 (E1229).
//   - Schema 1.01 of DPS, also where one says that it is of version 1.00, and of the requests
//     e101101, e101103 and e105102 (E1235 with the words of the .NET validator). From the day
//     that Registry.IBSCBSRequiredFrom says, a DPS without the group IBSCBS is one that misses
//     an element. No rule of Annex I v1.01 asks for the group: E1235 is this simulator's
//     choice, the real code is not known.
//   - Series and number not used before (E0014), decided again when the note is
//     written, under one lock.
//   - Who issues (E9996); Id, environment, series (E0004, E0006, E0010); dates (E0008,
//     E0015); municipality (E0037, E0038, E0039, E0016); signature (E0717, E0714, of white
//     space in it too, E0715, E0716, E0718).
//   - Provider (E0080, E0082, E0084, E0098, E0116, E0119 to E0121, E0124, E0128, E0018,
//     E0020, E0160) and its regime (E0162, E0166, E0174, E0175).
//   - Taker (E0187, E0188, E0190, E0202, E0204, E0206, E0207, E0223, E0226, E0234, E0237,
//     E0238, E0240, E0242, E0246, E0247, E0667) and intermediary (E0248 to E0300, E0670).
//   - Service (E0302, E0304, E0310 to E0318, E0322), works and events (E0370 to
//     E0404), what is abroad (E0330 to E0356; E0529, E0530, E0590, E0591 by the scenarios
//     of the export sheet).
//   - How the ISS is due (E0172, E0435, E0532, E0533, E0539, E0540, E0580, E0585, E0592,
//     E0593, E0602), benefits (E0534 to E0537, E0541 to E0587, E0594, E0612).
//   - Withholding (E0583, E0588, E0596), rate (E0595 and the table of pAliq).
//   - Deductions (E0436 to E0454) and their documents (E0455 to E0499, E1538); amounts
//     (E0424, E0427, E0428, E0431, E0432), and 2 % as the least (E0429, E0444, E0447,
//     E0575, E0587).
//   - Federal taxes (E0675 to E0677, E0694, E0696, E0699 to E0701, E0720, E0724); totals
//     (E0710, E0712, E0713).
//   - IBS and CBS (E0850, E0854): the operation (E0901 by Annex C v1.01, E0903 to E0907), the
//     recipient (E0910 to E0914, E0920, E0930), real estate (E0928, E0931, E0932,
//     E0935), the classification by the table of cClassTrib of 2026-10-01 (E0958, E0959,
//     E0964, E0965, E0969 to E0972). Codes that the real calculator may not know yet
//     are accepted, unless Registry.UnknownClassTribs says otherwise.
//   - Replacement: what the document says (E0042, E0065, E0078) before its signature; at
//     last, and decided under the lock under which the note is written, what the replaced
//     one says (E0044, E0046, E0050, E0056 to E0061, E0068 to E0076, E0845). The note, and
//     the event 105102 that cancels the replaced one, are written in one record.
//   - What RefuseNext says of an issuer, after all other rules.
//   - Events: version, Id, environment, time (E1825, E1827, E1845, E1843), signature
//     (E1989, E1980, E1983, E1986), author (E0812, E0813, E0815, E0816), the note
//     (E0831, E1831), the same request for an analysis again (E0802), other events (E0840, of
//     the same cancellation too, E0848), deadline, limit, taker and collection (E0822, E0823,
//     E0824, E0827). Nobody may ask for 105102 (E1861). An analysis (101103) waits until
//     RegisterEvent answers it (105104, 105105).
//
// # Forms of answers
//
// They are those that were recorded of the real hosts (test/recorded), but for versaoAplicativo, which
// is this simulator's name. With Options.AsDescribed they come from the description, as far as it has
// any, and else are those that were taken for true before there were recordings:
//
//	                            recorded                                described
//	no certificate, or refused  403 of IIS; of the ADN 496, 495, nginx  401, 403 in JSON, with the code
//	a refused DPS               erros, with capitals                    erros, in small letters
//	a refused event             erro, a list in small letters           erro, an object
//	the same cancellation       E0840                                   E0802
//	a refused question          erro, an object                         erros
//	an accepted DPS             with alertas null                       without
//	GET of a DPS without a note E2404, of the environment 0             E2404
//	GET of an event             with the envelope, and numbers, which   without
//	                            are texts in restricted production
//	nothing new at the ADN      E2220                                   without a code
//	a refusal of the ADN        Mensagem is an object, and no LoteDFe   Mensagem is null
//
// What has no route is a page of IIS, 404, or 405 where it has one for another method.
//
// # Cities
//
// SetCities plays cities whose own servers take the DPS, of the family DSF, beside the national
// system: each below /cities/{name}, with the same checks, ledger, faults and certificates. What a
// City differs in is a switch of it. Beyond what the switches say:
//
//   - POST wants a certificate, and refuses without one by 400 with the codes above; GET is
//     answered without. GET of /nfse is 405, a body that is no JSON 415, the paths of the other
//     edition 302 with the address of the city's own, and nothing is done there.
//   - Refusals are {codigo, mensagem}. A note of which nothing is known is 400 with E0044 by its
//     key and 404 by its DPS.
//   - The DPS is of the city (L0005), with IM, which must be that of Registry.Taxpayers (L0005),
//     of a series that the city leaves to contributors (L0022), with cTribMun (L0017) as City.Codes
//     has it (L0001). Who is in Simples is refused without a code from 2026-11-01 on: this
//     simulator's choice.
//   - Signatures are inclusive with SHA-1, and else refused as wrong ones: this simulator's
//     choice, as is the code (E0714) for a KeyInfo that lacks its names, where City.FullKey wants
//     them.
//   - Position 8 of access keys is 1. A second note of one DPS (City.SecondNote) is in the ledger
//     with SecondOf; questions find the first.
//   - Only 101101 can be sent. That a note was cancelled is nowhere to be read; a second request is
//     refused without a code. L9999 is a fault: Reject with it has done nothing, Status with the body
//     erros, this code and After has.
//   - The national system issues for such a city to nobody outside Simples (E0039), says so of its
//     parameters, finds none of its notes by DPS, and serves and distributes the notes themselves.
//     An event of one is refused there (E0831).
//
// # What is not simulated
//
//   - Registers: everything that is valid in itself is accepted, unless Registry says
//     otherwise. A municipality exists when its code has a right check digit, a CEP
//     belongs to a municipality when it lies in its state, and an NBS code exists when
//     its chapter does.
//   - Where ISS is due follows the rules E1317 to E1325. What municipalities administer,
//     admit, grant and ask is what the Registry says, and else everything is in order; a
//     benefit of which it says nothing is of the kind that the document shows, and one
//     without a reduction is an exemption. There is no revocation list.
//   - Of a valid DPS, what no layout of Emissor writes: issuing by the taker at a city, presumed
//     credits (cCredPres) and reimbursements (gReeRepRes) of the group IBSCBS. It is
//     answered with 501. So is anything whose sum is not settled: a percentage of a
//     deduction beside a discount, and one of a benefit beside a discount or a deduction
//     (E0427 computes it of what is left, E1287 and E1288 of the price), and withholding
//     of a suspended tax.
//   - The number of a property (cCIB) is held to the schema only (E0373, E0933), because
//     its check digit is not published; and no NF-e is known but by Registry.
//   - That an export without anything else abroad needs an NBS (E0318) is said by the sheet
//     of scenarios and not by the rule; that scenario 68 needs cPaisResult is said by the
//     sheet, and E0591 forbids it, as is done here.
//   - Of the NFS-e, names of municipalities, services and issuers are made up. Its sums are
//     rounded half to even, each part before they are added. It says vLiq alone where
//     E1302, E1303, E1307 and E1311 want it. Of what is paid through Simples Nacional, and
//     of an exemption, it says no base, rate and tax; no rule says what the real one does.
//   - The group IBSCBS of the NFS-e follows the sums of the layout, with the rates of
//     LC 214 for a test (2026: IBS 0.10 % of the state, CBS 0.90 %; from 2027: IBS 0.05 %
//     each, and CBS as before, because its rate is not fixed yet). Sectoral, national and
//     fixed rates (CST 010, 011, 221) are not known: these are used for them too. Without
//     a rate (CST 400, 410, 550, 800, 811, 820) rates and amounts are zero; what is
//     deferred stays in the amount; the reduction for governments (pRedutor) is zero.
//     The place of a recipient without an address is the issuer's, and one abroad is
//     9999999, because the schema does not take the 999999 of E1521.
//   - At cities, replacements (501), the time of a first call but by City.FirstCall, and limits of
//     rate.
//   - Layout NT 009 is not read: see WrongLayout. Of xmldsig, what the samples use is
//     accepted, and no optional attribute.
//   - The events of other parties and what a municipality registers RegisterEvent
//     makes; none can be sent (E1235). The ADN knows documents that were made here only, and
//     what Distribute adds to them.
//   - Of municipal parameters, agreements and rates come from the Registry; special
//     regimes, benefits and ways to deduct are not served.
//   - Some codes of queries (E2400, E2403) are made up: only the status is known of the real
//     ones. The 404 of an event that was not registered is not recorded either.
package sefin

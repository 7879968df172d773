// Package calculator asks the official calculator of IBS and CBS (Calculadora de Tributos, of the
// federal revenue) for a second opinion about an issued NFS-e:
//
//	client, err := calculator.New("http://localhost:8080/api")
//	stated, err := calculator.Read(document)
//	opinion, err := client.Compute(ctx, stated)
//	if !opinion.Agrees(stated) { ... }
//
// Place, day, classification and base go there as the document states them, and nothing that names a person. What
// comes back is compared with the IBS and CBS that the document states. The calculator runs at the federal revenue,
// which calls it a trial, or as its component on a machine of one's own; its routes are taken from its own
// description (OpenAPI), read in the version of October 2026.
//
// It is not asked about what it computes by rules of its own that a document does not settle:
// deferrals and purchases of governments; nor of competence from 2027 on, for which it wants rates
// that are not fixed.
package calculator

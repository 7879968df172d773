// Package doctor says what is wrong before the first live note, of the installation and of each
// organization, in both languages, and what is to be done. It asks harmless questions and changes nothing:
// of the authority whether a number is free, of mail servers and receivers whether they let us in.
//
//	report := doctor.New(options).Examine(ctx, "") // of all organizations
//	os.Exit(report.Status())
//
// Every check has a time of its own and ends in findings, no matter what goes wrong in it, so that nothing that is
// broken or silent keeps others from being examined. What a process cannot see it says to be skipped. A report holds
// no key, password, certificate or tax id, so that it can be sent to somebody.
package doctor

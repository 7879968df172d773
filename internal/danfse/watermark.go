package danfse

// mark writes across the page what the note is not: neither a document of the
// sandbox nor one that has ended may pass for an NFS-e.
func mark(p *page, n note, ended string) {
	switch {
	case n.simulated && ended != "":
		p.marks = []string{"SIMULAÇÃO", ended, "SEM VALOR FISCAL"}
	case n.simulated:
		p.marks = []string{"SIMULAÇÃO", "SEM VALOR FISCAL", "SIMULAÇÃO"}
	case ended != "":
		p.marks = []string{ended}
	}
}

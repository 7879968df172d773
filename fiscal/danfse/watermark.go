package danfse

// mark writes across the page that a note is of the sandbox or has ended: neither
// may pass for an NFS-e that stands.
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

package dashboard

// The look-ups that fill in forms are bounded for each organization.
const (
	fillsPerSecond = 1
	fillsAtOnce    = 20
)

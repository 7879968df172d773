package xmldsig

// Profile placeholder.
type Profile struct{}

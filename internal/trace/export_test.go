package trace

// MostWaiting is how many spans may wait.
const MostWaiting = mostWaiting

//go:build !race

package nationaltest

const raceEnabled = false

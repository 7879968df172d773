// Package dispatch turns committed rows into running workflows: the only room
// that starts or signals them. It runs in every process that runs a worker, so
// that the engine can hand a started workflow's first task straight back.
package dispatch

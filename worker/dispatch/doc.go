// Package dispatch turns rows of the outbox into running workflows: the only
// package that starts or signals them.
//
// What accepts something (a note, a cancellation, an event to deliver, an
// e-mail) commits it to PostgreSQL together with a row of the outbox, and does
// not call the workflow engine. A Loop claims such rows in batches,
// gives each to a Starter, and deletes those that the engine has taken. A row
// that could not be started is tried again later; a row that is started twice has
// the effect of one, since the engine knows runs by their id.
//
//	loop := &dispatch.Loop{Store: db, Starter: dispatch.Starter{Client: engine, Queues: queues}, ...}
//	go loop.Run(ctx)
//	loop.Wake() // after a commit in the same process: the row need not wait for the next poll
//
// A Loop runs in every process that runs a worker, so that the engine can return a
// started workflow's first task with its answer (eager start).
//
// RegisterSearchAttributes and ScheduleMaintenance prepare a namespace of the
// engine.
package dispatch

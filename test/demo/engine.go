package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"
)

// controlVariable is where devstack answers how its servers are.
const controlVariable = "DEVSTACK_CONTROL"

// engine is Temporal, as devstack brings it: on a first start it is built while the demo runs already.
type engine struct{ control string }

// What devstack says of it.
const (
	engineBuilding = "building"
	engineUp       = "up"
)

func (e engine) stands(ctx context.Context) (string, error) {
	var answer []byte
	err := (&client{base: e.control}).must(ctx, http.StatusOK, http.MethodGet, "/temporal", nil, &answer)
	return string(answer), err
}

// isBuilding reports whether it will be some minutes until it is there.
func (e engine) isBuilding(ctx context.Context) (bool, error) {
	stands, err := e.stands(ctx)
	return stands == engineBuilding, err
}

// await returns when the engine is there. Devstack ends the demo where that fails.
func (e engine) await(ctx context.Context) error {
	for {
		if stands, err := e.stands(ctx); err != nil || stands == engineUp {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// beganVariable is when make run began, in seconds since 1970.
const beganVariable = "RUN_BEGAN"

// sinceTheBeginning says how long ago make run began; nothing where something else started the demo.
func sinceTheBeginning() string {
	began, err := strconv.ParseInt(os.Getenv(beganVariable), 10, 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(", %d s after make run began", int(time.Since(time.Unix(began, 0)).Seconds()))
}

package main

import (
	"context"
	"io"
)

const sampleSize = 20

type cost struct{}

func writeCosts(io.Writer, []cost)                         {}
func (b *bench) measureCosts(ctx context.Context) error    { return nil }
func (b *bench) measureAccepts(ctx context.Context) error  { return nil }
func (b *bench) measureFairness(ctx context.Context) error { return nil }
func (b *bench) measureReads(ctx context.Context) error    { return nil }

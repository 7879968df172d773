package main

import (
	"log/slog"

	"emissor/fiscal/national/classification"
	"emissor/worker"
)

// authorities makes the authorities by which the worker issues live notes; none
// when none is configured.
func (c config) authorities(tables *classification.Source, logger *slog.Logger) ([]worker.Authority, error) {
	national, err := c.NationalConfig.authorities(tables, logger)
	if err != nil {
		return nil, err
	}
	saoPaulo, err := c.SaoPauloConfig.authorities(tables, logger)
	return append(national, saoPaulo...), err
}

package companies

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// CityServiceRecord is what is known of a service in a city.
type CityServiceRecord struct {
	CityKey
	ServiceCode string                    `db:"service_code" json:"service_code"`
	Service     *fiscal.ServiceParameters `json:"service"` // nil: never fetched
	FetchedAt   *nfse.Timestamp           `db:"fetched_at" json:"fetched_at"`
	NextFetchAt nfse.Timestamp            `db:"next_fetch_at" json:"next_fetch_at"`
	Failure     fact.Fact                 `db:"failure" json:"failure"`
	FailedAt    *nfse.Timestamp           `db:"failed_at" json:"failed_at"`
}

// CityServices lists what is known of a city's services.
func (s *Store) CityServices(ctx context.Context, key CityKey) ([]CityServiceRecord, error) {
	var rows []struct {
		CityServiceRecord
		Content []byte `db:"service"`
	}
	err := s.db.SelectContext(ctx, &rows, `SELECT authority, production, municipality_code, service_code, service,
			fetched_at, next_fetch_at, failure, failed_at
		FROM municipal_service_parameters WHERE `+ofCity+` ORDER BY service_code`,
		key.Authority, key.Production, key.MunicipalityCode)
	records := make([]CityServiceRecord, len(rows))
	for i, row := range rows {
		records[i] = row.CityServiceRecord
		if row.Content != nil {
			err = errors.Join(err, json.Unmarshal(row.Content, &records[i].Service))
		}
	}
	return records, err
}

const ofService = `(authority, production, municipality_code, service_code) = ($1, $2, $3, $4)`

// UseCityService puts a service that notes use in a city on record, and records that
// it is in use.
func (s *Store) UseCityService(ctx context.Context, key CityKey, service string) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO municipal_service_parameters (authority, production, municipality_code, service_code)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (authority, production, municipality_code, service_code) DO UPDATE SET used_at = now()`,
		key.Authority, key.Production, key.MunicipalityCode, service)
	return err
}

// SaveCityService stores what an authority answered of a service.
func (s *Store) SaveCityService(ctx context.Context, key CityKey, service string, found fiscal.ServiceParameters,
	next time.Duration) error {
	content, err := json.Marshal(found)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `UPDATE municipal_service_parameters SET service = $5::jsonb, fetched_at = now(),
			next_fetch_at = now() + make_interval(secs => $6), failure = NULL, failed_at = NULL
		WHERE `+ofService, key.Authority, key.Production, key.MunicipalityCode, service, string(content),
		next.Seconds())
	return err
}

// FailCityService records that a service's parameters could not be fetched.
func (s *Store) FailCityService(ctx context.Context, key CityKey, service string, reason fact.Fact,
	rest time.Duration) error {
	_, err := s.db.ExecContext(ctx, `UPDATE municipal_service_parameters SET failure = $5, failed_at = now(),
			next_fetch_at = now() + make_interval(secs => $6)
		WHERE `+ofService, key.Authority, key.Production, key.MunicipalityCode, service, reason, rest.Seconds())
	return err
}

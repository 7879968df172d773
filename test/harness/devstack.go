package harness

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the driver of the harness's own SQL
)

// The servers of a development stack that can be controlled.
const (
	PostgreSQL = "postgres"
	Temporal   = "temporal"
)

// Devstack is the development stack that this program runs in.
type Devstack struct {
	DatabaseURL       string
	TemporalAddress   string
	TemporalNamespace string

	control string
}

// FindDevstack finds it in the environment.
func FindDevstack() (Devstack, error) {
	d := Devstack{
		DatabaseURL: os.Getenv("EMISSOR_DATABASE_URL"), TemporalAddress: os.Getenv("TEMPORAL_ADDRESS"),
		TemporalNamespace: os.Getenv("TEMPORAL_NAMESPACE"), control: os.Getenv("DEVSTACK_CONTROL"),
	}
	if d.DatabaseURL == "" || d.TemporalAddress == "" || d.control == "" {
		return d, errors.New("there is no development stack: run this inside `devstack -- COMMAND`")
	}
	return d, nil
}

// Control does something to a server and returns when it is done: kill, start,
// restart, pause or resume.
func (d Devstack) Control(ctx context.Context, action, server string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.control+"/"+action+"/"+server, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", action, server, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var message strings.Builder
		_ = response.Write(&message)
		return fmt.Errorf("%s %s: %s", action, server, message.String())
	}
	return nil
}

// Database is a database of one installation, in the stack's PostgreSQL.
type Database struct {
	URL string
	SQL *sqlx.DB // for what the caller wants to see

	name  string
	admin *sqlx.DB
}

// NewDatabase makes an empty database.
func (d Devstack) NewDatabase(ctx context.Context) (*Database, error) {
	admin, err := sqlx.Open("postgres", d.DatabaseURL)
	if err != nil {
		return nil, err
	}
	name := "harness_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return nil, errors.Join(err, admin.Close())
	}
	address, err := url.Parse(d.DatabaseURL)
	if err != nil {
		return nil, errors.Join(err, admin.Close())
	}
	address.Path = "/" + name
	database := &Database{URL: address.String(), name: name, admin: admin}
	if database.SQL, err = sqlx.Open("postgres", database.URL); err != nil {
		return nil, errors.Join(err, admin.Close())
	}
	return database, nil
}

// URLThrough is the database's URL by way of a proxy at an address.
func (d *Database) URLThrough(address string) string {
	proxied, err := url.Parse(d.URL)
	if err != nil {
		return d.URL // it was parsed when it was made
	}
	proxied.Host = address
	return proxied.String()
}

// Address is the host and port of its server.
func (d *Database) Address() string {
	parsed, err := url.Parse(d.URL)
	if err != nil {
		return ""
	}
	return parsed.Host
}

// Drop removes the database, also while somebody is connected.
func (d *Database) Drop(ctx context.Context) error {
	_, err := d.admin.ExecContext(ctx, "DROP DATABASE "+d.name+" WITH (FORCE)")
	return errors.Join(err, d.SQL.Close(), d.admin.Close())
}

package doctor

import (
	"context"

	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/postgres"
)

// database checks that the database is reached, keeps what it acknowledges (which opening it did) and has
// the schema that this program needs.
func (d *Doctor) database(ctx context.Context) (found []Finding, err error) {
	if d.Store == nil {
		return []Finding{problem(Database, fact.DoctorDatabaseAway.With("why", broke(d.DatabaseError)),
			fact.DoctorDoDatabase.Fact())}, nil
	}
	if why := postgres.Eavesdropper(d.DatabaseURL); why != "" {
		found = append(found, warning(Database, fact.DoctorDatabaseUnsafe.With("why", why),
			fact.DoctorDoSafeConnection.Fact()))
	}
	present, err := d.Store.DatabaseSchema(ctx)
	if err == nil && present >= store.ProgramSchema() {
		err = d.Store.CheckSchema(ctx)
	}
	needed := store.ProgramSchema()
	switch {
	case err != nil:
		found = append(found, problem(Database, fact.DoctorDatabaseAway.With("why", broke(err)),
			fact.DoctorDoDatabase.Fact()))
	case present < needed:
		found = append(found, problem(Database, fact.DoctorSchemaOlder.With("schema", present, "needed", needed),
			fact.DoctorDoMigrate.Fact()))
	case present > needed:
		found = append(found, warning(Database, fact.DoctorSchemaNewer.With("schema", present, "needed", needed),
			fact.DoctorDoUpgrade.Fact()))
	default:
		found = append(found, good(Database, fact.DoctorDatabaseGood.With("schema", present)))
	}
	return found, nil
}

// readable reports whether organizations can be read: a schema that is older lacks what this program reads.
func (d *Doctor) readable(ctx context.Context) bool {
	return d.Store != nil && d.Store.CheckSchema(ctx) == nil
}

package postgres

// VersionTable is the table of the migrations that a database has. That its name is this one says that
// they begin with the foundation: before it there were others of the same numbers, in goose_db_version
// and then in schema_versions.
const VersionTable = "schema_migrations"

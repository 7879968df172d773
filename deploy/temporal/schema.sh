#!/bin/sh
# Creates Temporal's databases and brings their schema up to date, with the tool of the admin-tools image
# (which reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD). It can be run again at any time.
set -eu

upgrade() {
	temporal-sql-tool --database "$1" create-database
	temporal-sql-tool --database "$1" setup-schema --version 0.0
	temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

upgrade temporal temporal
upgrade temporal_visibility visibility

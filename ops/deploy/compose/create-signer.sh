#!/bin/sh
# PostgreSQL runs this once, in a new database: the login of the signer, to which `daric migrate` gives its rights.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -v password="$(cat /run/secrets/signer_password)" <<'SQL'
create role daric_signer login password :'password';
SQL

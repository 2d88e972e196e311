#!/bin/sh
# Runs once, as the superuser, when PostgreSQL's image prepares an empty folder: the service gets a plain role that owns
# its database and nothing else. The superuser loses its password, so that it signs in from within the container only.
set -e
quoted=$(printf %s "$POSTGRES_PASSWORD" | sed "s/'/''/g")
psql -v ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
CREATE ROLE broadsheet LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '$quoted';
ALTER DATABASE broadsheet OWNER TO broadsheet;
REVOKE CONNECT ON DATABASE broadsheet FROM PUBLIC;
ALTER ROLE "$POSTGRES_USER" PASSWORD NULL;
SQL

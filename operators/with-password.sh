#!/bin/sh
# The entry of the containers of docker-compose.yml. The service `first`, which alone sees the volume of the database, makes
# the password of a new one; every container has it in DATABASE_URL.
set -eu
if [ ! -s /secrets/postgres ]; then
  if [ -n "$(ls -A /database)" ]; then
    echo "The volume postgres has a database whose password is not here, as version 0.4.0 or docker-compose.scale.yml made it: put COMPOSE_FILE=docker-compose.scale.yml into .env, with the POSTGRES_PASSWORD and REDIS_PASSWORD of before." >&2
    exit 1
  fi
  od -An -vtx1 -N24 /dev/urandom | tr -d ' \n' > /secrets/made
  chmod 0444 /secrets/made
  mv /secrets/made /secrets/postgres
fi
DATABASE_URL="postgres://broadsheet:$(cat /secrets/postgres)@postgres:5432/broadsheet"
export DATABASE_URL
exec "$@"

#!/bin/sh
# Takes the containers of docker-compose.scale.yml to the code in this folder, without a failed request:
#   operators/upgrade.sh [--backup DIR]
# It stops at the first step that fails, and says how to go on.
set -eu
cd "$(dirname "$0")/.."
# The image of this code, whatever a going back has set.
export BROADSHEET_IMAGE=

backup=
case "${1:-}" in
  "") ;;
  --backup) backup=${2:?"--backup needs a folder"} ;;
  *)
    echo "Usage: operators/upgrade.sh [--backup DIR]" >&2
    exit 2
    ;;
esac

step=
found=
# The API processes of before answer until the last step but one: of those that were added none stays.
stopped() {
  code=$?
  [ "$code" -ne 0 ] || exit 0
  if [ -n "$found" ]; then
    for container in $(docker compose ps --all --quiet api); do
      case " $found " in *" $container "*) ;; *) docker rm --force "$container" > /dev/null || true ;; esac
    done
  fi
  echo "The upgrade stopped at: $step. The lines above say why. Nothing after it was done, and the service goes on." >&2
  echo "Mend that and run operators/upgrade.sh again: what was done already does no harm again. To go back: /docs/containers." >&2
  exit "$code"
}
trap stopped EXIT
begin() {
  step=$1
  echo "== $step"
}
refuse() {
  echo "$1" >&2
  exit 1
}

begin "look at the service"
services=$(docker compose config --services)
echo "$services" | grep -qx proxy || refuse "This is for docker-compose.scale.yml: put COMPOSE_FILE=docker-compose.scale.yml into .env. Elsewhere: docker compose build, docker compose stop api workers, docker compose up -d."
running=$(docker compose ps --quiet api)
[ -n "$running" ] || refuse "No API process runs. Start the service: docker compose up -d"
before=$(docker inspect --format '{{.Image}}' $running | head -n 1)

begin "build the image"
docker compose build
image=$(docker image inspect --format '{{.Id}}' "$(docker compose config --images | grep broadsheet | head -n 1)")
old=
for container in $running; do
  [ "$(docker inspect --format '{{.Image}}' "$container")" = "$image" ] || old="$old $container"
done
count=$(echo $old | wc -w)
[ "$count" -le 4 ] || refuse "The proxy knows eight API processes, so at most four can be replaced: docker compose up -d --no-recreate --scale api=4"

if [ -n "$backup" ]; then
  begin "back up into $backup, by the version that runs"
  mkdir -p "$backup"
  backup=$(cd "$backup" && pwd)
  docker compose run --rm --no-deps --user root --cap-add CHOWN --volume "$backup:/to" migrate chown node /to
  BROADSHEET_IMAGE=$before docker compose run --rm --no-deps --volume "$backup:/to" migrate \
    node cli/main.ts backup create --in /to
fi

begin "migrate what the version before works with"
docker compose run --rm --no-deps migrate node cli/migrate.ts --expand

begin "replace the workers"
docker compose up --detach --no-deps --wait $(echo "$services" | grep -vx -e postgres -e redis -e migrate -e api -e proxy -e backup)
docker compose up --detach --no-deps backup

if [ "$count" -gt 0 ]; then
  begin "start $count more API processes beside those of before"
  found=$(echo $running)
  docker compose up --detach --no-deps --no-recreate --scale "api=$(($(echo $running | wc -w) + count))" --wait api
  # The proxy asks for their names each second, and each of them five times a second whether it is ready.
  sleep 10
  found=
  begin "stop the API processes of before"
  docker stop --time 15 $old > /dev/null
  docker rm $old > /dev/null
fi

begin "migrate the rest"
docker compose run --rm --no-deps migrate
echo "== done. The proxy, PostgreSQL and Redis were left alone; docker compose up -d --force-recreate --no-deps proxy takes a new haproxy.cfg, with a second in which nobody is answered."

#!/bin/bash
# An engine for containers out of Debian's packages, for root on a machine that has none:
#   engine.sh make FOLDER          gets it, and what stands for the images of the registry
#   engine.sh run FOLDER           runs it, in a mount namespace of its own
#   engine.sh docker FOLDER WORDS  runs its client there
#   engine.sh import FOLDER NODE IMAGE…  imports images under the names of the compose files; NODE is the program
set -e
what=$1
folder=$2
shift 2
root=$folder/root
export DEBIAN_FRONTEND=noninteractive

# A root with packages of the unstable suite; its Release file may have expired on a mirror that stands still.
root_with() {
  cp -a "$folder/sid" "$1.new"
  mount -t proc proc "$1.new/proc"
  chroot "$1.new" apt-get install -y -qq "${@:2}" > /dev/null
  umount "$1.new/proc"
  rm -rf "$1.new/var/cache/apt/archives"/*.deb "$1.new/var/lib/apt/lists"/*
  mv "$1.new" "$1"
}

make_sid() {
  debootstrap --variant=minbase --include=ca-certificates sid "$folder/sid.new" > /dev/null
  cp /etc/resolv.conf "$folder/sid.new/etc/"
  printf 'Acquire::Check-Valid-Until "false";\nAPT::Install-Recommends "false";\n' > "$folder/sid.new/etc/apt/apt.conf.d/99engine"
  printf '#!/bin/sh\nexit 101\n' > "$folder/sid.new/usr/sbin/policy-rc.d"
  chmod +x "$folder/sid.new/usr/sbin/policy-rc.d"
  # As in the image of PostgreSQL.
  chroot "$folder/sid.new" useradd --system --user-group --uid 999 --home-dir /var/lib/postgresql postgres
  chroot "$folder/sid.new" apt-get update -qq
  mv "$folder/sid.new" "$folder/sid"
}

# As the image of Node: Debian without documentation, the Node of this tree, npm of this machine with its certificates.
make_node() {
  debootstrap --variant=minbase trixie "$folder/node.new" > /dev/null
  (
    cd "$folder/node.new"
    rm -rf var/cache/apt/archives/*.deb var/cache/apt/*.bin var/lib/apt/lists/* usr/share/{doc,man,locale,info}/*
  )
  chroot "$folder/node.new" useradd --uid 1000 --user-group --create-home node
  mkdir -p "$folder/node.new/usr/local/lib/node_modules"
  mv "$folder/node.new" "$folder/node"
}

# What the image of PostgreSQL does with an empty folder, as far as our compose files use it.
write_postgres_entry() {
  cat > "$folder/postgres/usr/local/bin/docker-entrypoint.sh" << 'ENTRY'
#!/bin/sh
set -e
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA"
  POSTGRES_PASSWORD=${POSTGRES_PASSWORD:-$(cat "$POSTGRES_PASSWORD_FILE")}
  export POSTGRES_PASSWORD
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS -D "$PGDATA"
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do "$script"; done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
ENTRY
  chmod +x "$folder/postgres/usr/local/bin/docker-entrypoint.sh"
  sed -ri "s!^#?(listen_addresses)\s*=\s*\S+.*!\1 = '*'!" "$folder/postgres/usr/share/postgresql/18/postgresql.conf.sample"
  rm -rf "$folder/postgres/var/lib/postgresql"
  install -d -o 999 -g 999 -m 1777 "$folder/postgres/var/lib/postgresql"
}

make() {
  mkdir -p "$folder"
  [ -d "$folder/sid" ] || make_sid
  [ -d "$root" ] || root_with "$root" docker.io docker-cli docker-compose docker-buildx iptables
  [ -d "$folder/haproxy" ] || root_with "$folder/haproxy" haproxy wget
  [ -d "$folder/redis" ] || root_with "$folder/redis" redis-server
  if [ ! -d "$folder/postgres" ]; then
    root_with "$folder/postgres" postgresql-18
    write_postgres_entry
  fi
  [ -d "$folder/node" ] || make_node
}

run() {
  mkdir -p "$folder/data" "$folder/run" "$root/old"
  mount --bind "$root" "$root"
  for each in proc sys dev; do mount --rbind /$each "$root/$each"; done
  mount -t tmpfs tmpfs "$root/run"
  mkdir -p "$root/run/engine" "$root/var/lib/docker"
  mount --bind "$folder/run" "$root/run/engine"
  mount --bind "$folder/data" "$root/var/lib/docker"
  # Folders that containers mount stand at the same places as outside.
  for each in "$@" /tmp; do
    mkdir -p "$root$each"
    mount --rbind "$each" "$root$each"
  done
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cd "$root"
  # A mere chroot would leave docker exec in the root of the machine.
  pivot_root . old
  cd /
  umount -l /old
  echo $$ > /run/engine/pid
  exec dockerd -H unix:///run/engine/docker.sock --log-level error --pidfile /run/docker.pid
}

docker() {
  nsenter --mount="/proc/$(cat "$folder/run/pid")/ns/mnt" sh -c \
    'cd "$0" && DOCKER_HOST=unix:///run/engine/docker.sock HOME=/root exec /usr/bin/docker "$@"' "$PWD" "$@"
}

import() {
  local path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin changes
  cp "$1" "$folder/node/usr/local/bin/node"
  cp -a "$(dirname "$(npm root --global)")/node_modules/npm" "$folder/node/usr/local/lib/node_modules/"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$folder/node/usr/local/bin/npm"
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$folder/node/usr/local/certificates.pem"
  for image in "${@:2}"; do
    case ${image%%:*} in
      node) changes=("ENV NODE_EXTRA_CA_CERTS=/usr/local/certificates.pem" 'CMD ["node"]') ;;
      haproxy) changes=("STOPSIGNAL SIGUSR1" 'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]') ;;
      redis)
        install -d -o "$(stat -c %u "$folder/redis/var/lib/redis")" "$folder/redis/data"
        changes=("WORKDIR /data" "VOLUME /data")
        ;;
      postgres)
        path=$path:/usr/lib/postgresql/18/bin
        changes=("ENV PGDATA=/var/lib/postgresql/18/docker" "VOLUME /var/lib/postgresql" "STOPSIGNAL SIGINT")
        changes+=('ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["postgres"]')
        ;;
    esac
    tar -C "$folder/${image%%:*}" -c . |
      docker import --change "ENV PATH=$path" "${changes[@]/#/--change=}" - "$image" > /dev/null
  done
}

case $what in
  make) make ;;
  run) if [ -n "$ENGINE_INSIDE" ]; then run "$@"; else ENGINE_INSIDE=1 exec unshare --mount --propagation private "$0" run "$folder" "$@"; fi ;;
  docker) docker "$@" ;;
  import) import "$@" ;;
esac

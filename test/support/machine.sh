#!/bin/bash
# A machine whose first process is systemd, out of Debian's packages, for root on a machine that has debootstrap:
#   machine.sh make FOLDER NODE  gets it; NODE is the program
#   machine.sh boot FOLDER MORE  boots it in the network of this machine, with a folder at /more; what is written in it goes with it
#   machine.sh in FOLDER WORDS   runs a command in it
set -e
what=$1
folder=$2
shift 2
root=$folder/machine

make() {
  "$(dirname "$0")/engine.sh" root "$folder" machine systemd-sysv dbus curl git make postgresql redis-server haproxy
  mkdir -p "$root/more" "$root/usr/local/lib/node_modules"
  cp "$1" "$root/usr/local/bin/node"
  cp -a "$(dirname "$(npm root --global)")/node_modules/npm" "$root/usr/local/lib/node_modules/"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" "$root/usr/local/certificates.pem"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Nothing is asked at the first boot, and nobody waits for a network or a terminal that is not there.
  echo machine > "$root/etc/hostname"
  rm -f "$root/etc/machine-id" && touch "$root/etc/machine-id"
  ln -sf /dev/null "$root/etc/systemd/system/systemd-firstboot.service"
  ln -sf /dev/null "$root/etc/systemd/system/console-getty.service"
}

# systemd takes the second version of cgroups alone: it gets a group of its own of that.
boot() {
  [ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 cgroup2 /sys/fs/cgroup
  local group=/sys/fs/cgroup/broadsheet-$$
  mkdir "$group"
  echo $$ > "$group/cgroup.procs"
  echo $$ > "$folder/machine.pid"
  exec systemd-nspawn --quiet --directory="$root" --volatile=overlay --bind="$1:/more" --machine=broadsheet \
    --register=no --keep-unit --resolv-conf=off --timezone=off --link-journal=no --console=pipe --boot < /dev/null
}

# The first process in there is the child of the one that keeps it.
inside() {
  local keeper first
  keeper=$(cat "$folder/machine.pid")
  first=$(cut -d " " -f 1 "/proc/$keeper/task/$keeper/children")
  exec nsenter --all --root --wd --target "$first" "$@"
}

case $what in
  make) make "$@" ;;
  boot) if [ -n "$MACHINE_INSIDE" ]; then boot "$@"; else MACHINE_INSIDE=1 exec unshare --mount --propagation private "$0" boot "$folder" "$@"; fi ;;
  in) inside "$@" ;;
esac

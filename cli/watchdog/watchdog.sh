# Ends what a killed process leaves behind: the processes that it watches, then PostgreSQL. It reads its orders from
# standard input, one a line, and the end of that input is the death of the process that gives them. A shell takes 2 MB
# for it, where Node takes 42. Arguments: the data folder; whether its address is announced; whether it is temporary.

# A terminal or a service manager may signal every process, and PostgreSQL must outlive the others.
trap '' HUP INT TERM
folder=$1 announced=$2 temporary=$3
watched='' postgres=''

# When a process began, as shared/platform/process/processes.ts tells it; nothing where none has the number, or a zombie.
began() {
  if [ -r /proc/self/stat ]; then
    { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return
    # The command stands in brackets and may hold blanks and brackets, so the fields count from the last one.
    set -- ${stat##*)}
    case $1 in Z | X) return ;; esac
    echo "${20}"
  else
    set -- $(ps -o stat=,lstart= -p "$1")
    case $1 in '' | Z*) return ;; esac
    shift
    echo "$*"
  fi
}

# Whether the very process still runs, and no later one of the same number.
runs() {
  [ -n "$2" ] && [ "$(began "$1")" = "$2" ]
}

# Sends a signal to those on a list that still run.
send() {
  printf '%s' "$2" | while read -r pid since; do
    if runs "$pid" "$since"; then kill -s "$1" "$pid" 2>/dev/null; fi
  done
}

# Waits until none of a list runs, for so many tenths of a second; false when one still does.
await() {
  left=$2
  while printf '%s' "$1" | any; do
    [ "$left" -gt 0 ] || return 1
    left=$((left - 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
}

any() {
  while read -r pid since; do
    if runs "$pid" "$since"; then return 0; fi
  done
  return 1
}

# The watched processes without one of them.
without() {
  printf '%s' "$watched" | while read -r pid since; do
    [ "$pid" = "$1" ] || echo "$pid $since"
  done
}

while read -r order pid since; do
  case $order in
    watch) watched="$watched$pid $since
" ;;
    unwatch) watched=$(without "$pid")${watched:+
} ;;
    postgres) postgres="$pid $since
" ;;
    stop) exit 0 ;;
  esac
done

# The watched processes see their own pipe close first; those that ignore it are ended.
await "$watched" 30 || {
  send TERM "$watched"
  await "$watched" 20
} || {
  send KILL "$watched"
  await "$watched" 20
}
# Fast shutdown, then immediate shutdown, then the kernel: each is safe, the later ones cost a recovery.
send INT "$postgres"
await "$postgres" 50 || {
  send QUIT "$postgres"
  await "$postgres" 15
} || {
  send KILL "$postgres"
  await "$postgres" 20
}
if [ "$announced" = yes ]; then rm -f "$folder/postgres.url"; fi
if [ "$temporary" = yes ]; then rm -rf "$folder"; fi

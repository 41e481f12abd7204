# shellcheck shell=bash
# Part of ./dev: starts processes, knows them again and stops them.

# Everything works on one instance: .run/up for `up`, .run/test for the tests, .run/bench for the search's measurement. Each has
# its own ports, passwords, servers and logs, so tests never disturb what `up` runs.
instance() { I=$RUN/$1; mkdir -p "$I"/{pid,port,log,artifacts,mail}; chmod 700 "$I"/{log,artifacts,mail}; }

# Holds the instance for the life of this command, so that two commands at once do not meet.
lock() {
  mkdir -p "$RUN"
  [ -O "$RUN" ] || die ".run belongs to another user: run as that user, or remove it"
  exec {LOCK}>"$RUN/$1.lock"
  flock -w "$2" "$LOCK" || die "another ./dev command is at work ($1); try again when it is through"
}

# Tells a process from a later one with the same number: boot, number and start time.
identity() {
  local stat
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
  stat=${stat##*) }
  # shellcheck disable=SC2086  # split into fields on purpose
  set -- "$1" $stat
  [ "$2" != Z ] && printf '%s %s %s\n' "$1" "${21}" "$(</proc/sys/kernel/random/boot_id)"
}

# True while the process that was started under this name lives.
alive() {
  local pid known
  [ -s "$I/pid/$1" ] && read -r pid known <"$I/pid/$1" && [ "$(identity "$pid")" = "$pid $known" ]
}

# Starts a process of its own session and remembers it.
spawn() { # name command...
  local name=$1; shift
  [ ! -e "$I/log/$name.log" ] || mv -f "$I/log/$name.log" "$I/log/$name.log.1"
  NO_COLOR=1 setsid "$@" </dev/null >"$I/log/$name.log" 2>&1 {LOCK}>&- &
  identity $! >"$I/pid/$name" || true
}

# Waits until a test succeeds; fails with the log's tail when the process dies or the time is up.
await() { # name seconds test...
  local name=$1 end=$((SECONDS + $2)) wrong=; shift 2
  # Something else may answer where this one could not begin.
  until "$@" && alive "$name"; do
    alive "$name" || wrong="ended at once"
    [ $SECONDS -lt $end ] || wrong="did not get ready"
    if [ -n "$wrong" ]; then tail -n 20 "$I/log/$name.log" >&2; die "$name $wrong; its log: $I/log/$name.log"; fi
    sleep 0.1
  done
}

# Asks a process to end, waits, and kills it when it does not.
stop() { # name signal seconds
  local pid end=$((SECONDS + $3)) signal=$2
  while alive "$1"; do
    read -r pid _ <"$I/pid/$1"
    [ -z "$signal" ] || kill "-$signal" "$pid" 2>/dev/null || true
    signal=
    if [ $SECONDS -ge $end ]; then say "$1 did not end in $3 s: killing it"; signal=KILL; end=$((SECONDS + 10)); fi
    sleep 0.1
  done
  rm -f "$I/pid/$1" "$I/pid/$1.made-of"
}

# Leaves a process alone when it runs and is made of the same things (program, settings); else starts it anew.
ensure() { # name made-of signal command...
  local name=$1 made_of=$2 signal=$3; shift 3
  if alive "$name" && [ "$(cat "$I/pid/$name.made-of" 2>/dev/null)" = "$made_of" ]; then return; fi
  if alive "$name"; then say "Restarting $name (it has changed)"; else say "Starting $name"; fi
  stop "$name" "$signal" 40
  spawn "$name" "$@"
  printf '%s' "$made_of" >"$I/pid/$name.made-of"
}

# True when something answers on a port.
listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Takes a port for the life of this command, until its server listens; fails where another command of this user's has it, of another clone's
# maybe.
take_port() { # port
  local folder holder
  folder=${TMPDIR:-/tmp}/regix-ports-$(id -u)
  [ -d "$folder" ] || mkdir -m 700 "$folder" 2>/dev/null || true
  [ -O "$folder" ] || return 0
  (flock 7
    holder=$(cat "$folder/$1" 2>/dev/null || true)
    [ -z "$holder" ] || [ "${holder%% *}" = $$ ] || [ "$(identity "${holder%% *}")" != "$holder" ] || exit 1
    identity $$ >"$folder/$1") 7>"$folder/lock"
}

# The port of a server: the remembered one, else the wanted one, else the next that is free.
port_of() { # name wanted [process]
  local port=$2
  if [ -s "$I/port/$1" ]; then
    port=$(<"$I/port/$1")
    if alive "${3:-$1}" || { ! listening "$port" && take_port "$port"; }; then printf '%s' "$port"; return; fi
  fi
  until ! listening "$port" && take_port "$port"; do port=$((port + 1)); done
  printf '%s' "$port" | tee "$I/port/$1"
}

# A password of this instance: made once, readable by its owner only.
secret() {
  (umask 077; mkdir -p "$I/secret"
    [ -s "$I/secret/$1" ] || od -An -N18 -tx1 /dev/urandom | tr -d ' \n' >"$I/secret/$1"
    cat "$I/secret/$1")
}

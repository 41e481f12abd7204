# shellcheck shell=bash
# Part of ./dev: an instance's PostgreSQL, Redis and mail catcher, on loopback; and HTTP without curl.

# Leaves in AS_POSTGRES the words to put before a PostgreSQL program. PostgreSQL refuses to run as root; root therefore
# runs it as another user of a user namespace, where the files stay root's, or, where user namespaces are shut off, as
# the user nobody, who then owns the data folder. Decided once for a data folder.
choose_postgres_user() {
  AS_POSTGRES=(env)
  case $PGBIN in "$DEB"/*) AS_POSTGRES+=("LD_LIBRARY_PATH=$(deb_libraries)") ;; esac
  [ "$(id -u)" = 0 ] || return 0
  local userns=(unshare --user --map-user=nobody --map-group=nogroup --) nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
  if [ ! -s "$I/postgres.mode" ]; then
    if "${userns[@]}" true 2>/dev/null; then echo userns; else echo nobody; fi >"$I/postgres.mode"
  fi
  if [ "$(<"$I/postgres.mode")" = userns ]; then AS_POSTGRES=("${userns[@]}" "${AS_POSTGRES[@]}"); return; fi
  chown nobody:nogroup "$I/postgres"
  "${nobody[@]}" ls "$I/postgres" >/dev/null 2>&1 ||
    die "PostgreSQL cannot run as root, there are no user namespaces here, and the user nobody may not enter $ROOT: use an ordinary user, or a folder open to all"
  AS_POSTGRES=("${nobody[@]}" "${AS_POSTGRES[@]}")
}

# A cluster that only tests see stands in memory where there is room: each test's database of its own is a thousand small files.
make_data_folder() {
  local memory; memory=$(memory_folder)
  if [ "${IN_MEMORY:-}" ] && has_room_in_memory && mkdir -m 700 "$memory" 2>/dev/null; then
    ln -s "$memory" "$I/postgres"
  else
    mkdir -p "$I/postgres"; chmod 700 "$I/postgres"
  fi
}
memory_folder() { echo "/dev/shm/regix-$(cksum <<<"$I" | cut -d ' ' -f 1)"; }
has_room_in_memory() {
  local free; free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
  [ "${free:-0}" -gt 4194304 ] && [ "$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)" -gt 8388608 ]
}

# Makes the data folder: UTF-8, and ICU's Serbian Latin order, for which the system needs no locale.
init_postgres() {
  local auth=scram-sha-256
  say "Making the database cluster (PostgreSQL in $PGBIN)"
  rm -rf "$I/postgres.mode" "$I/postgres" "$I"/demo-*; make_data_folder
  choose_postgres_user
  (umask 077; secret postgres >"$I/postgres.pw")
  chown --reference="$I/postgres" "$I/postgres.pw"
  # Each test signs in eight times: deriving a key for each would be a twelfth of what a test costs.
  [ ! -L "$I/postgres" ] || auth=md5
  "${AS_POSTGRES[@]}" "$PGBIN/initdb" -D "$I/postgres" -U regix_owner -E UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=sr-Latn \
    --auth="$auth" --pwfile="$I/postgres.pw" --no-instructions --no-sync >"$I/log/initdb.log" 2>&1 || { cat "$I/log/initdb.log" >&2; die "initdb failed"; }
  mv "$I/postgres.pw" "$I/postgres.made"
}

POSTGRES_PROCESS_KB=1048576

# Starts PostgreSQL on loopback. fsync is off, because nothing here has to outlive a power cut; log_error_verbosity
# keeps the values of rows (names, JMBG) out of the log.
start_postgres() { # wanted-port [setting...]
  local port settings=("${@:2}")
  [ -e "$I/postgres.made" ] || rm -rf "$I/postgres"
  need_postgres
  postgres_clients
  [ -e "$I/postgres.made" ] || init_postgres
  choose_postgres_user
  [ ! -L "$I/postgres" ] || settings+=(max_wal_size=256MB)
  port=$(port_of postgres "$1")
  # No process of it takes more memory for itself than compose gives it (decision 0071).
  # shellcheck disable=SC2016  # the shell that is started expands them
  ensure postgres "$PGBIN $port ${settings[*]} data=$POSTGRES_PROCESS_KB" INT \
    bash -c 'ulimit -d "$0" && exec "$@"' "$POSTGRES_PROCESS_KB" "${AS_POSTGRES[@]}" "$PGBIN/postgres" -D "$I/postgres" -c listen_addresses=127.0.0.1 -c "port=$port" \
    -c unix_socket_directories= -c fsync=off -c timezone=Europe/Belgrade -c client_connection_check_interval=5s \
    -c max_connections=200 -c max_locks_per_transaction=256 -c log_error_verbosity=terse \
    -c random_page_cost=1.1 -c work_mem=32MB -c jit=off "${settings[@]/#/--}"
  OWNER_URL=postgres://regix_owner:$(secret postgres)@127.0.0.1:$port
  await postgres 60 postgres_answers
}

# Makes a program that runs one of PostgreSQL's as this instance does, for tests that need servers of their own.
postgres_runner() {
  # shellcheck disable=SC2016  # that program's own words
  printf '#!/usr/bin/env bash\nprogram=$1; shift\nexec %s "%s/$program" "$@"\n' "${AS_POSTGRES[*]@Q}" "$PGBIN" >"$I/postgres-program"
  chmod +x "$I/postgres-program"
}

# Runs psql as the owner on the private cluster, quietly.
psql_on() { # database argument...
  local database=$1; shift
  PGPASSWORD=$(secret postgres) PGOPTIONS="-c client_min_messages=warning" "${AS_POSTGRES[@]}" "$PGBIN/psql" -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(<"$I/port/postgres")" -U regix_owner -d "$database" "$@"
}
postgres_answers() { psql_on postgres -c 'select 1' >/dev/null 2>&1; }

# Starts Redis on loopback with a password, append-only, and no eviction: it holds a queue, not a cache.
start_redis() { # wanted-port
  local port; port=$(port_of redis "$1")
  need redis-server redis-server
  mkdir -p "$I/redis"
  (umask 077; printf '%s\n' "bind 127.0.0.1" "port $port" "dir \"$I/redis\"" "requirepass $(secret redis)" \
    "appendonly yes" "appendfsync everysec" 'save ""' "maxmemory-policy noeviction" >"$I/redis.conf")
  ensure redis "$(sha256sum <"$I/redis.conf")" TERM redis-server "$I/redis.conf"
  await redis 30 redis_answers "$port"
  REDIS=redis://:$(secret redis)@127.0.0.1:$port/0
}
redis_answers() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'AUTH %s\r\nPING\r\n' "$(secret redis)" >&3 && timeout 5 head -n 2 <&3 | grep -q PONG) 2>/dev/null
}

# Starts the mail catcher (docs/decisions/0003-mail-catcher.md): SMTP on loopback that keeps every message, and a web inbox.
start_mail() { # wanted-smtp-port wanted-web-port
  local smtp web
  mkdir -p "$RUN/mail"; cp .config/mail/package*.json "$RUN/mail/"
  exclusively npm_packages "$RUN/mail"
  smtp=$(port_of mail "$1"); web=$(port_of inbox "$2" mail)
  ensure mail "$smtp $web $(<"$RUN/mail/node_modules/.made-of")" TERM node "$RUN/mail/node_modules/maildev/dist/bin/maildev.js" \
    --ip 127.0.0.1 --smtp "$smtp" --web-ip 127.0.0.1 --web "$web" --mail-directory "$I/mail" --max-emails 1000
  await mail 60 http_ok "$web" /api/healthz
  SMTP=smtp://127.0.0.1:$smtp
  INBOX=http://127.0.0.1:$web
}

# Makes the OpenID Provider of the tests ready to be started (docs/decisions/0038-sign-in-by-openid-connect.md); leaves its program
# in PROVIDER_PROGRAM.
need_oidc_provider() {
  mkdir -p "$RUN/oidc"; cp .config/oidc/package*.json .config/oidc/server.mjs "$RUN/oidc/"
  exclusively npm_packages "$RUN/oidc"
  PROVIDER_PROGRAM=$RUN/oidc/server.mjs
}

# Starts it, for a site on any port of this machine; leaves its address in OIDC.
start_oidc() { # wanted-port
  local port
  need_oidc_provider
  port=$(port_of oidc "$1")
  ensure oidc "$port $(tree_hash "$RUN/oidc" -not -path '*/node_modules/*')" TERM node "$PROVIDER_PROGRAM" "$port"
  await oidc 60 http_ok "$port" /.well-known/openid-configuration
  OIDC=http://127.0.0.1:$port
}

# An HTTP answer (curl is no part of a bare Debian).
http_get() { # port path
  (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' "$2" >&3 && timeout 10 cat <&3) 2>/dev/null
}
http_ok() { [[ "$(http_get "$1" "$2" | head -n 1)" == *" 200 "* ]]; }
healthy() { [[ "$(http_get "$1" /api/health)" =~ \"status\":\ *\"ok\" ]]; }

# shellcheck shell=bash
# Part of ./dev: compose.yaml from end to end, where Docker runs.

docker_runs() { docker compose version && docker info; } >/dev/null 2>&1

# What the answer to a sign-in begins with.
compose_sign_in() { # port username password
  local body="{\"username\":\"$2\",\"password\":\"$3\"}"
  (exec 3<>"/dev/tcp/127.0.0.1/$1" \
    && printf 'POST /api/login HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' "${#body}" "$body" >&3 \
    && timeout 10 head -n 1 <&3) 2>/dev/null
}

# Starts every part, with two engines; whoever has an account can sign in after it.
compose_up() { # port username password [option...]
  local end=$((SECONDS + 180)) status
  docker compose --profile mail up "${@:4}" --detach --scale report-engine=2
  until healthy "$1"; do
    [ $SECONDS -lt $end ] || { docker compose ps --all; docker compose logs --tail 20; die "compose.yaml's stack is not healthy"; }
    sleep 1
  done
  [ "$(docker compose ps --quiet report-engine | wc -l)" = 2 ] || die "there are not two engines"
  status=$(compose_sign_in "$1" "$2" "$3")
  [[ "$status" == *" 200 "* ]] || die "$2 cannot sign in: $status"
}

# Images built, database migrated, every part healthy with two engines, the first administrator signed in; a report of the demo's goes to
# its readers and is opened by them; a backup is made, and where all was thrown away it brings everything back. Whatever happens, what was
# started ends, and its data with it.
stage_compose() {
  local port backup
  docker_runs || die "Docker does not run here"
  instance test
  need_chromium "$BROWSER"; exclusively npm_packages web
  port=$(port_of compose 8095)
  export COMPOSE_PROJECT_NAME=regix-test PORT=$port PUBLIC_URL=http://127.0.0.1:$port INBOX_PORT POSTGRES_SHARED_BUFFERS=128MB
  INBOX_PORT=$(port_of compose-inbox 1095)
  export SMTP_URL=smtp://mail:1025 MAIL_FROM='Regix <regix@regix.example>' REGIX_ADMIN_USERNAME=prvi
  export POSTGRES_PASSWORD REGIX_APP_PASSWORD REGIX_REPORT_PASSWORD REDIS_PASSWORD REGIX_ADMIN_PASSWORD
  POSTGRES_PASSWORD=$(secret compose-owner) REGIX_APP_PASSWORD=$(secret compose-app) REGIX_REPORT_PASSWORD=$(secret compose-report)
  REDIS_PASSWORD=$(secret compose-redis) REGIX_ADMIN_PASSWORD=$(secret compose-admin)
  trap 'docker compose --profile mail --profile backup down --volumes --remove-orphans >/dev/null 2>&1' EXIT

  compose_up "$port" prvi "$REGIX_ADMIN_PASSWORD" --build
  docker compose run --rm -e REGIX_DEMO=1 migrate api demo
  (cd web && E2E_BASE_URL=http://127.0.0.1:$port E2E_MAIL_URL=http://127.0.0.1:$INBOX_PORT \
    npm run --silent e2e -- e2e/recipients.e2e.ts)

  backup=$I/compose-backup; rm -rf "$backup"; mkdir -p "$backup"; chmod 777 "$backup"
  docker compose run --rm -v "$backup:/backup" backup backup /backup/regix.backup
  docker compose --profile mail --profile backup down --volumes
  docker compose run --rm -v "$backup:/backup" backup restore /backup/regix.backup
  compose_up "$port" lekar lekar
  say "compose.yaml runs: healthy with two engines, a report read by whom it was mailed to, backed up, and restored from nothing"
}

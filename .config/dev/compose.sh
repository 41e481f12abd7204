# shellcheck shell=bash
# Part of ./dev: compose.yaml from end to end, where Docker runs.

docker_runs() { docker compose version && docker info; } >/dev/null 2>&1

# Signs in as the first administrator: what the answer begins with.
compose_sign_in() { # port password
  local body="{\"username\":\"admin\",\"password\":\"$2\"}"
  (exec 3<>"/dev/tcp/127.0.0.1/$1" \
    && printf 'POST /api/login HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' "${#body}" "$body" >&3 \
    && timeout 10 head -n 1 <&3) 2>/dev/null
}

# Images built, database migrated, every part healthy with two engines, somebody signed in, and a backup made. Whatever happens, what was
# started ends, and its data with it.
stage_compose() {
  local end port status
  docker_runs || die "Docker does not run here"
  instance test
  port=$(port_of compose 8095)
  export COMPOSE_PROJECT_NAME=regix-test PORT=$port PUBLIC_URL=http://127.0.0.1:$port INBOX_PORT POSTGRES_SHARED_BUFFERS=128MB
  INBOX_PORT=$(port_of compose-inbox 1095)
  export SMTP_URL=smtp://mail:1025 MAIL_FROM='Regix <regix@regix.example>' REGIX_ADMIN_USERNAME=admin
  export POSTGRES_PASSWORD REGIX_APP_PASSWORD REGIX_REPORT_PASSWORD REDIS_PASSWORD REGIX_ADMIN_PASSWORD
  POSTGRES_PASSWORD=$(secret compose-owner) REGIX_APP_PASSWORD=$(secret compose-app) REGIX_REPORT_PASSWORD=$(secret compose-report)
  REDIS_PASSWORD=$(secret compose-redis) REGIX_ADMIN_PASSWORD=$(secret compose-admin)
  trap 'docker compose --profile mail --profile backup down --volumes --remove-orphans >/dev/null 2>&1' EXIT

  docker compose --profile mail up --build --detach --scale report-engine=2
  end=$((SECONDS + 180))
  until healthy "$port"; do
    [ $SECONDS -lt $end ] || { docker compose ps --all; docker compose logs --tail 20; die "compose.yaml's stack is not healthy"; }
    sleep 1
  done
  [ "$(docker compose ps --quiet report-engine | wc -l)" = 2 ] || die "there are not two engines"
  status=$(compose_sign_in "$port" "$REGIX_ADMIN_PASSWORD")
  [[ "$status" == *" 200 "* ]] || die "the first administrator cannot sign in: $status"
  mkdir -p "$I/compose-backup"; chmod 777 "$I/compose-backup"
  docker compose run --rm -v "$I/compose-backup:/backup" backup backup /backup/regix.backup
  [ -s "$I/compose-backup/regix.backup" ] || die "the backup is not there"
  say "compose.yaml runs: healthy with two engines, signed in, backed up"
}

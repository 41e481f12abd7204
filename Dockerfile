# One image for all of Regix, backups too (target "regix"), and one for the mail catcher of trials (target "mail").

# Of PostgreSQL's programs for backups: the one of compose.yaml's server.
ARG POSTGRES_VERSION=15

FROM node:20-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM rust:1.95-bookworm AS programs
WORKDIR /src
ENV SQLX_OFFLINE=true
COPY Cargo.toml Cargo.lock ./
COPY .sqlx .sqlx
COPY migrations migrations
COPY templates templates
COPY domain domain
COPY api api
COPY report-engine report-engine
COPY scheduler scheduler
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked --workspace --bins \
    && install -D -t /programs target/release/api target/release/report-engine target/release/scheduler

FROM node:20-bookworm-slim AS mail
WORKDIR /mail
COPY .config/mail/package.json .config/mail/package-lock.json ./
RUN npm ci --no-audit --no-fund --ignore-scripts
USER node
EXPOSE 1025 1080
CMD ["node", "node_modules/maildev/dist/bin/maildev.js", "--ip", "0.0.0.0", "--max-emails", "1000"]
HEALTHCHECK --interval=10s CMD ["node", "node_modules/maildev/dist/bin/healthcheck.js"]

FROM debian:bookworm-slim AS regix
ARG POSTGRES_VERSION
# Authorities, for providers, buckets and Redis over TLS; and pg_dump and pg_restore: Debian's, or PostgreSQL's own packages where the server
# is of another version.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && if [ "$POSTGRES_VERSION" != 15 ]; then \
         apt-get install -y --no-install-recommends postgresql-common && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y; fi \
    && apt-get install -y --no-install-recommends "postgresql-client-$POSTGRES_VERSION" \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /var/lib/regix --create-home regix \
    && install -d -o regix -g regix /var/lib/regix/artifacts
COPY --from=programs /programs/ /usr/local/bin/
COPY --from=web /src/web/dist /srv/regix/web
COPY templates /srv/regix/templates
ENV BIND=0.0.0.0 PORT=8080 WEB_DIR=/srv/regix/web TEMPLATE_DIR=/srv/regix/templates ARTIFACT_DIR=/var/lib/regix/artifacts
USER regix
WORKDIR /srv/regix
EXPOSE 8080
CMD ["api", "serve"]

# shellcheck shell=bash
# Part of ./dev: the programs that it needs, of the system or out of Debian's packages, unpacked under .run.

# Runs a function that writes what all instances share, one at a time.
exclusively() { (flock 8; "$@") 8>"$RUN/shared.lock"; }

# Downloads Debian packages with all that they need beyond the least that every Debian has, and unpacks them under .run/deb, once. Needs no
# root and changes nothing of the system: its own apt lists and cache, and `dpkg -x` instead of an installation. What else the system has
# does not count: a program looks for its own files beside itself.
unpack() { # package...
  [ ! -e "$DEB/.done-$1" ] || return 0
  command -v apt-get >/dev/null || die "$* is not installed, and there is no apt-get here to fetch it with"
  local apt=$RUN/apt file count=0
  rm -rf "$apt/archives"; mkdir -p "$apt"/{lists/partial,archives/partial} "$DEB"
  least_system >"$apt/status"
  local options=(-o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o Debug::NoLocking=1 -o APT::Sandbox::User=root
    -o Acquire::Retries=3 -o APT::Install-Recommends=false -o DPkg::Use-Pty=0)
  say "Downloading Debian packages: $* (unpacked under .run, nothing is installed)"
  if [ -z "$(find "$apt/lists" -maxdepth 1 -name '*Packages*' -mmin -60)" ]; then
    apt-get -q "${options[@]}" update || die "apt-get update failed: is the network there?"
  fi
  DEBIAN_FRONTEND=noninteractive apt-get -q "${options[@]}" -y --download-only install "$@" || die "could not download $*"
  for file in "$apt"/archives/*.deb; do
    count=$((count + 1)); [ ! -t 1 ] || printf '\r  unpacking %d ' "$count"
    case ${file##*/} in libc6_*) continue ;; esac      # a second C library beside the system's loader would crash
    dpkg -x "$file" "$DEB"
  done
  [ ! -t 1 ] || printf '\n'
  find "$DEB" -perm /6000 -exec chmod a-s {} +       # nothing of ours needs another user's rights
  rm -rf "$apt/archives"
  : >"$DEB/.done-$1"
}

# What dpkg knows of the essential and the required packages, and of those that they need.
least_system() {
  local required
  required=$(dpkg-query -W -f '${Essential}${Priority} ${Package}\n' | sed -n 's/^\(yes.*\|norequired\) //p')
  # shellcheck disable=SC2086  # names of packages
  apt-cache --installed --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances depends $required |
    sed -n 's/^\([^ <|:]*\).*/\1/p' | awk -v RS= 'NR == FNR { count = split($0, names, "\n"); for (i = 1; i <= count; i++) known[names[i]]; next }
      { name = $0; sub(/^Package: /, "", name); sub(/\n.*/, "", name) } name in known { print $0 "\n" }' - /var/lib/dpkg/status
}

# The library path that unpacked programs need.
deb_libraries() {
  local folder path=
  for folder in "$DEB"/usr/lib/*-linux-gnu "$DEB"/lib/*-linux-gnu "$DEB"/usr/lib/*-linux-gnu/pulseaudio; do
    [ -d "$folder" ] && path+=$folder:
  done
  printf '%s' "${path%:}"
}

# Writes .run/bin/NAME, which runs an unpacked program with its libraries; further arguments go before the caller's.
wrap() { # name program [argument...]
  local name=$1; shift
  mkdir -p "$BIN"
  # shellcheck disable=SC2016  # the wrapper expands $PATH and $@
  printf '#!/bin/bash\nexport LD_LIBRARY_PATH=%q FONTCONFIG_FILE=%q PATH=%q:"$PATH"\nexec %s "$@"\n' \
    "$(deb_libraries)" "$ROOT/.config/fonts.conf" "$DEB/usr/bin" "$(printf '%q ' "$@")" >"$BIN/$name"
  chmod 755 "$BIN/$name"
}

# Makes a program available: the system's, else out of a Debian package.
need() { # program package
  command -v "$1" >/dev/null && return
  exclusively unpack "$2"
  wrap "$1" "$DEB/usr/bin/$1"
}

# Programs that tests alone hold ours against: out of Debian's packages; where they cannot be had the tests say that they leave it out.
find_peers() {
  local program
  program=$(command -v pgbouncer || ls /usr/sbin/pgbouncer 2>/dev/null || true)
  if [ -z "$program" ] && (exclusively unpack pgbouncer); then wrap pgbouncer "$DEB/usr/sbin/pgbouncer"; program=$BIN/pgbouncer; fi
  [ -z "$program" ] || export PGBOUNCER=$program
  if ! command -v promtool >/dev/null && (exclusively unpack prometheus); then wrap promtool "$DEB/usr/bin/promtool"; fi
  PROMTOOL=$(command -v promtool || true); [ -z "$PROMTOOL" ] || export PROMTOOL
}

# A C compiler and linker, which rustc and a few crates call. An unpacked gcc finds its headers through --sysroot; the
# C library proper stays the system's.
need_cc() {
  command -v cc >/dev/null && return
  say "No C compiler (cc) on this machine: taking Debian's gcc"
  exclusively unpack gcc libc6-dev
  local triplet library
  triplet=$(basename "$(dirname "$(find "$DEB/usr/lib" -name crt1.o | head -n 1)")")
  mkdir -p "$DEB/lib/$triplet" "$DEB/lib64"
  for library in {/lib/"$triplet",/lib64}/{libc.so.6,libm.so.6,libmvec.so.1,libgcc_s.so.1,ld-linux-*.so.*}; do
    [ ! -e "$library" ] || [ -e "$DEB$library" ] || ln -sfn "$library" "$DEB$library"
  done
  wrap cc "$DEB/usr/bin/gcc" "--sysroot=$DEB"
  wrap ar "$DEB/usr/bin/ar"
}

# Leaves in PGBIN the folder of PostgreSQL's programs: of the version that made the data, else the newest there is.
find_postgres() { # [version]
  while read -r PGBIN; do
    if [ -x "$PGBIN/initdb" ]; then return; fi
  done < <(find /usr/lib/postgresql "$DEB"/usr/lib/postgresql -mindepth 2 -maxdepth 2 -path "*/${1:-*}/bin" 2>/dev/null | sort -V -r)
  return 1
}

# PostgreSQL's programs, of the system or unpacked.
need_postgres() {
  local version=; [ ! -s "$I/postgres/PG_VERSION" ] || version=$(<"$I/postgres/PG_VERSION")
  find_postgres "$version" && return
  [ -z "$version" ] || die "the data is of PostgreSQL $version, which is not here any more: ./dev reset makes it anew"
  exclusively unpack postgresql
  find_postgres || die "PostgreSQL was downloaded, but its programs are not under $DEB/usr/lib/postgresql"
}

# Leaves in PG_BIN the folder where `api backup` finds pg_dump and pg_restore of the same version.
postgres_clients() {
  export PG_BIN=$PGBIN
  case $PGBIN in "$DEB"/*) wrap pg_dump "$PGBIN/pg_dump"; wrap pg_restore "$PGBIN/pg_restore"; PG_BIN=$BIN ;; esac
}

# A browser; leaves its path in CHROMIUM. Tests take Chromium without windows, which needs a third less of the processor than the whole
# one without a screen; measurements take the whole one, as people have it.
need_chromium() { # chromium|chromium-headless-shell
  if [ -z "${CHROMIUM:-}" ] && ! command -v "$1" >/dev/null; then
    # Both at once, since they share files of their version.
    exclusively unpack chromium-headless-shell chromium fonts-dejavu-core fonts-liberation
    wrap "$1" "$DEB/usr/lib/chromium/$1"
  fi
  export CHROMIUM=${CHROMIUM:-$(command -v "$1")}
}

# JasperReports, which `./dev bench reports` measures beside ours where this machine has Java; leaves the folder of its jars in JASPER_JARS.
# It is fetched for the developer alone (LGPL), once, and is no part of the product. Without it the measurement goes on.
find_jasper() {
  local folder=$RUN/jasper
  command -v java >/dev/null || { left_out "JasperReports" "there is no Java here"; return 0; }
  command -v pip3 >/dev/null || { left_out "JasperReports" "there is no pip3 here to fetch it with"; return 0; }
  if [ ! -e "$folder/.done" ]; then
    say "Downloading JasperReports (some 100 MB, out of pyreportjasper)"
    rm -rf "$folder"; mkdir -p "$folder"
    { pip3 download -q --no-deps -d "$folder" pyreportjasper==2.1.4 && python3 -m zipfile -e "$folder"/*.whl "$folder"; } ||
      { left_out "JasperReports" "it could not be downloaded"; return 0; }
    rm "$folder"/*.whl; : >"$folder/.done"
  fi
  export JASPER_JARS=$folder/pyreportjasper/libs
}

# pdfminer.six, by which a test reads our PDFs as many a program does; leaves its folder in PDFMINER. It is fetched for the developer
# alone, once, and is no part of the product. Without it that test says that it is left out.
find_pdfminer() {
  local folder=$RUN/pdfminer
  command -v pip3 >/dev/null || { left_out "reading our PDFs by pdfminer" "there is no pip3 here to fetch it with"; return 0; }
  if [ ! -e "$folder/.done" ]; then
    say "Downloading pdfminer.six (27 MB unpacked)"
    rm -rf "$folder"; mkdir -p "$folder"
    pip3 install -q --disable-pip-version-check --no-input --target "$folder" pdfminer.six==20250506 >/dev/null 2>&1 ||
      { left_out "reading our PDFs by pdfminer" "it could not be downloaded"; return 0; }
    : >"$folder/.done"
  fi
  export PDFMINER=$folder
}

# What has to be there to build: says so at once, not in the middle.
need_toolchain() {
  # Where the release that rust-toolchain.toml names can be neither found nor fetched, the machine's stable one serves.
  rustc --version >/dev/null 2>&1 || export RUSTUP_TOOLCHAIN=stable
  command -v cargo >/dev/null || die "cargo is missing: install Rust $(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or newer with rustup"
  command -v npm >/dev/null || die "npm is missing: install Node.js 20.19 or newer"
  [ "$(node -p 'const [major, minor] = process.versions.node.split(".").map(Number); major > 20 || (major === 20 && minor >= 19)')" = true ] ||
    die "Node.js $(node --version) is too old: 20.19 or newer is needed"
  need_cc
}

# Refuses at the start what a full disk would break in the middle: what is built and unpacked counts as room that is had already.
need_room() { # gigabytes
  local free had
  free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1048576) }')
  had=$({ du -sk target "$RUN" web/node_modules 2>/dev/null || true; } | awk '{ all += $1 } END { print int(all / 1048576) }')
  [ $((free + had)) -ge "$1" ] || die "only $free GB are free in $ROOT, and about $(($1 - had)) GB are needed: make room, then once more"
}

# A program of crates.io, built once into .run/tools.
need_cargo_tool() { # name version
  PATH=$RUN/tools/bin:$PATH
  [ -x "$RUN/tools/bin/$1" ] || { say "Building $1"; cargo install --quiet --locked --root "$RUN/tools" "$1@$2"; }
}

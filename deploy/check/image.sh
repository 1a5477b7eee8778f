#!/usr/bin/env bash
# Builds the image from the last commit on a locally built base, runs it like compose.yaml, and sends it requests. On Debian, as root:
#   apt-get install debootstrap buildah podman runc
#   deploy/check/image.sh        one to three minutes
# The base replaces node:24-slim: a minimal Debian with the Node version of package.json and the user `node`. It is built
# locally because image registries may be unreachable; the Dockerfile is executed unchanged.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
storage=(--root "$work/store" --runroot "$work/run")
podman() { command podman "${storage[@]}" --runtime runc --cgroup-manager cgroupfs "$@"; }
buildah() { command buildah "${storage[@]}" "$@"; }
clean_up() {
  podman rm --all --force --time 0 >/dev/null 2>&1 || true
  buildah rm --all >/dev/null 2>&1 || true
  umount -R "$work/store/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
fail() { echo "$1" >&2; exit 1; }
step() { echo "== $1"; }

step "The base: Debian with Node $("$project/node_modules/node/bin/node" --version)"
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\).*/\2/p' | sed q)
base=$(buildah from scratch)
root=$(buildah mount "$base")
debootstrap --variant=minbase "${DEBIAN_SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}" "$root" "$mirror" >"$work/debootstrap.log" ||
  { tail -3 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
chroot "$root" useradd --create-home --uid 1000 --user-group --shell /bin/bash node
install -D "$project/node_modules/node/bin/node" "$root/usr/local/bin/node"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah commit --quiet --rm "$base" localhost/node:24-slim >/dev/null

step "The build: every instruction of the Dockerfile, from a clean copy of the last commit"
mkdir "$work/context"
git -C "$project" archive HEAD | tar -x -C "$work/context"
# The package registry and trusted roots of this machine, for npm ci only.
{ echo "registry=$(npm config get registry 2>/dev/null)"; echo "cafile=/etc/ssl/check.pem"; } >"$work/npmrc"
buildah bud --runtime runc --pull-never --network host --format docker --tag privet \
  --volume "$work/npmrc:/usr/local/etc/npmrc:ro" --volume /etc/ssl/certs/ca-certificates.crt:/etc/ssl/check.pem:ro \
  "$work/context" >"$work/build.log" 2>&1 || { tail -20 "$work/build.log" >&2; fail "the build failed"; }
grep -c 'STEP [0-9]' "$work/build.log" | sed 's/$/ instructions/'
podman images --format '{{.Repository}} {{.Size}}'

step "The run: own user, no capabilities, root file system read-only but for /data and /tmp, no network"
# Everything that is mounted for the check is in one folder, readable by the user of the image.
mkdir "$work/mounted" && chmod 755 "$work" "$work/mounted"
cp "$here/use.mjs" "$work/mounted/"
printf 'egress: { allow: [127.0.0.0/8], ports: any }\n' >"$work/mounted/privet.yaml"
podman run --detach --name privet --log-driver k8s-file --no-healthcheck --network none \
  --ulimit nofile=8192:8192 --ulimit nproc=4096:4096 \
  --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --volume privet-data:/data --volume "$work/mounted:/check:ro" --env PROXY_CONFIG=/check/privet.yaml \
  privet >/dev/null
log() { podman logs privet 2>&1 | cut -c1-300 | tail -20 >&2; }
inside() { podman exec privet "$@"; }

step "The HEALTHCHECK command of the image"
mapfile -t health < <(podman image inspect privet --format '{{range .HealthCheck.Test}}{{println .}}{{end}}' | sed '1d;/^$/d')
[ "${#health[@]}" -gt 0 ] || fail "the image has no health check"
tries=0
until inside "${health[@]}" >/dev/null 2>&1; do
  [ $((tries += 1)) -lt 120 ] || { log; fail "it never became healthy"; }
  [ "$(podman inspect privet --format '{{.State.Running}}')" = true ] || { log; fail "it ended"; }
  sleep 0.5
done
if inside env PORT=9 "${health[@]}" >/dev/null 2>&1; then fail "the health check passes without a listener"; fi

step "Use"
[ "$(inside id -u)" = 1000 ] || fail "it does not run as the user node"
if inside touch /app/x 2>/dev/null; then fail "the root file system can be written to"; fi
[ "$(inside stat -c '%a %U' /data)" = "700 node" ] || fail "/data is accessible to other users"
inside grep -q '^CapEff:.0000000000000000$' /proc/1/status || fail "it has capabilities"
for left in test bench docs eval deploy .git; do
  if inside test -e "/app/$left"; then fail "$left is in the image"; fi
done
inside node /check/use.mjs || { log; fail "a request failed"; }

step "SIGTERM"
podman stop --time 40 privet >/dev/null
code=$(podman inspect privet --format '{{.State.ExitCode}}')
[ "$code" = 0 ] || { log; fail "it ended with $code"; }

step "The bill of materials names what is installed, and nothing else"
"$project/node_modules/node/bin/node" "$project/deploy/sbom.mjs" >"$work/mounted/sbom.json"
cp "$here/sbom.mjs" "$work/mounted/"
podman run --rm --log-driver k8s-file --no-healthcheck --network none --ulimit nofile=8192:8192 --ulimit nproc=4096:4096 \
  --volume "$work/mounted:/check:ro" privet node /check/sbom.mjs /check/sbom.json /app/node_modules
echo "all passed"

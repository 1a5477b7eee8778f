"""Checks manifests on standard input against the types of the Kubernetes client: every field must exist, and no
required one may be missing. Resources outside Kubernetes itself (ServiceMonitor) are only parsed."""
import json
import re
import sys

import yaml
from kubernetes import client

problems = []
api = client.ApiClient()


def strict(value, kind, where):
    if kind.startswith("list["):
        for index, item in enumerate(value if isinstance(value, list) else []):
            strict(item, kind[5:-1], f"{where}[{index}]")
        if not isinstance(value, list):
            problems.append(f"{where} must be a list")
        return
    match = re.fullmatch(r"dict\(([^,]*), (.*)\)", kind)
    if match:
        for key, item in value.items():
            strict(item, match[2], f"{where}.{key}")
        return
    model = getattr(client.models, kind, None)
    if model is None:
        expected = {"str": str, "int": int, "bool": bool, "float": (int, float)}.get(kind)
        if expected and (not isinstance(value, expected) or (kind == "int" and isinstance(value, bool))):
            problems.append(f"{where} must be {kind}, is {value!r}")
        return
    names = {json_name: attribute for attribute, json_name in model.attribute_map.items()}
    for key, item in value.items():
        if key not in names:
            problems.append(f"{where}.{key} is not a field of {kind}")
        elif item is None:
            problems.append(f"{where}.{key} is empty")
        else:
            strict(item, model.openapi_types[names[key]], f"{where}.{key}")


class Answer:
    def __init__(self, data):
        self.data = data


kinds = {
    "v1/ConfigMap": "V1ConfigMap",
    "v1/Secret": "V1Secret",
    "v1/Service": "V1Service",
    "apps/v1/Deployment": "V1Deployment",
    "policy/v1/PodDisruptionBudget": "V1PodDisruptionBudget",
    # Same fields; older clients use the beta name of the type.
    "autoscaling/v2/HorizontalPodAutoscaler": "V2HorizontalPodAutoscaler"
    if hasattr(client.models, "V2HorizontalPodAutoscaler")
    else "V2beta2HorizontalPodAutoscaler",
    "networking.k8s.io/v1/NetworkPolicy": "V1NetworkPolicy",
}
seen = []
for document in yaml.safe_load_all(sys.stdin):
    if document is None:
        continue
    name = f"{document['apiVersion']}/{document['kind']}"
    seen.append(name)
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", document["metadata"]["name"]):
        problems.append(f"{name}: bad name")
    kind = kinds.get(name)
    if kind is None:
        if not name.startswith("monitoring.coreos.com/"):
            problems.append(f"{name} is not known")
        continue
    strict(document, kind, document["kind"])
    try:
        api.deserialize(Answer(json.dumps(document)), kind)
    except ValueError as error:
        problems.append(f"{name}: {error}")
print(" ".join(seen))
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)

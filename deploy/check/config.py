"""Prints the pods' configuration file from the rendered chart on standard input. The schema of the chart must have the same
sections as the gateway."""
import json
import re
import sys
from pathlib import Path

import yaml

deploy = Path(__file__).parent.parent
known = json.loads((deploy / "helm/privet/values.schema.json").read_text())["properties"]["config"]["properties"]
sections = re.findall(r"^([a-z_]+):", (deploy / "../config/default.yaml").read_text(), re.M)
if sorted(known) != sorted(sections):
    sys.exit(f"values.schema.json lists other sections of config than config/default.yaml: {set(known) ^ set(sections)}")
for document in yaml.safe_load_all(sys.stdin):
    if document and document["kind"] == "ConfigMap" and "privet.yaml" in document["data"]:
        print(document["data"]["privet.yaml"])

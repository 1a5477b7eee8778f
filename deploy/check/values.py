"""Checks values of the chart against its schema, as helm does before rendering: `values.py CHART VALUES.json`. The values
are merged over the defaults of the chart."""
import json
import sys
from pathlib import Path

import jsonschema
import yaml


def merged(below, above):
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: merged(below.get(key), value) for key, value in above.items()}}


chart, values = Path(sys.argv[1]), json.loads(sys.argv[2])
schema = json.loads((chart / "values.schema.json").read_text())
given = merged(yaml.safe_load((chart / "values.yaml").read_text()), values)
problems = [
    f"{'.'.join(map(str, error.absolute_path)) or 'values'}: {error.message}"
    for error in jsonschema.Draft7Validator(schema).iter_errors(given)
]
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)

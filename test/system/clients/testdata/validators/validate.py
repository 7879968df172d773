"""Reads schemas and values, and writes which of the values are valid by the jsonschema package."""
import json
import sys

from jsonschema import Draft202012Validator

asked = json.load(sys.stdin)
validators = {
    name: Draft202012Validator(
        {"$ref": "#/components/schemas/" + name, "components": {"schemas": asked["schemas"]}},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
    for name in asked["schemas"]
}
json.dump([validators[case["schema"]].is_valid(case["value"]) for case in asked["cases"]], sys.stdout)

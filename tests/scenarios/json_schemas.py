"""Checks results with Debian's python3-jsonschema, which knows nothing of Gridloom.

usage: json_schemas.py SCHEMAS.json, an object of schemas by name, and on standard input an object
of [schema, result] by name. Prints an object of lists of mismatches by name: those of the schema
as it is, and members that it does not describe."""
import json
import sys

import jsonschema

INSIDE = ("properties", "$defs")


def subschemas(schema):
    """The schemas directly inside."""
    for name, value in schema.items():
        if name in INSIDE:
            yield from value.values()
        elif name in ("items", "additionalProperties") and isinstance(value, dict):
            yield value
        elif name in ("allOf", "anyOf"):
            yield from value


def close(schema):
    """Lets objects have no other members than those that are described, unless it says so."""
    for inside in subschemas(schema):
        close(inside)
    if "properties" in schema and "additionalProperties" not in schema:
        schema["unevaluatedProperties"] = False


def closed(schema):
    """A copy that accepts no members that it does not describe. The envelope is part of others."""
    copy = json.loads(json.dumps(schema))
    close(copy)
    copy.get("$defs", {}).get("result", {}).pop("unevaluatedProperties", None)
    return copy


def mismatches(validator, result):
    return ["/" + "/".join(map(str, error.absolute_path)) + ": " + error.message[-200:]
            for error in validator.iter_errors(result)]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schemas = json.load(file)
    validators = {}
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = [jsonschema.Draft202012Validator(one) for one in (schema, closed(schema))]
    print(json.dumps({name: [text for validator in validators[schema] for text in mismatches(validator, result)]
                      for name, (schema, result) in json.load(sys.stdin).items()}))


if __name__ == "__main__":
    main()

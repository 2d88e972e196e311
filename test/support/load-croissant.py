"""Loads every record set of a Croissant document and writes its records, for the test that compares them with rows."""

import json
import sys

import mlcroissant

dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.ctx.issues
loaded = {
    "errors": sorted(issues.errors),
    "warnings": sorted(issues.warnings),
    "records": {
        record_set.uuid: list(dataset.records(record_set=record_set.uuid))
        for record_set in dataset.metadata.record_sets
    },
}


def to_json(value):
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else str(value)


print(json.dumps(loaded, default=to_json))

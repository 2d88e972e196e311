"""Reads what the service publishes by programs of others, and writes what they found, as JSON on the last line.

validate ADDRESS...   each Data Package by frictionless
parquet FILE...       each Parquet file by pyarrow
compare FILE          pairs of CSV files by csv-diff, each {"base", "head", "key"}
"""

import json
import sys


def validate(addresses):
    import frictionless

    found = []
    for address in addresses:
        report = frictionless.validate(address, type="package")
        errors = [
            [task.name, error.type, getattr(error, "field_name", None), error.note]
            for task in report.tasks
            for error in task.errors
        ]
        found.append({"valid": report.valid, "errors": [str(one) for one in report.errors] + errors})
    return found


def parquet(paths):
    import pyarrow.parquet

    found = []
    for path in paths:
        table = pyarrow.parquet.read_table(path)
        found.append(
            {
                "types": {name: str(table.schema.field(name).type) for name in table.column_names},
                "rows": table.to_pylist(),
                "metadata": {
                    key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()
                },
            }
        )
    return found


def compare(paths):
    import io

    import csv_diff

    with open(paths[0], encoding="utf-8") as file:
        pairs = json.load(file)
    found = []
    for pair in pairs:
        # Told its dialect: else it guesses one from the cells.
        base, head = (
            csv_diff.load_csv(io.StringIO(pair[side], newline=""), key=pair["key"], dialect="excel")
            for side in ("base", "head")
        )
        result = csv_diff.compare(base, head)
        found.append({name: len(result[name]) for name in ("added", "removed", "changed")})
    return found


COMMANDS = {"validate": validate, "parquet": parquet, "compare": compare}
print("\n" + json.dumps(COMMANDS[sys.argv[1]](sys.argv[2:]), default=str))

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFolder } from "../support/close-afterwards.ts";

const PACKAGE = {
  name: "gauge",
  title: "Gauge readings",
  description: "Daily high water at two gauges.",
  licenses: [{ name: "CC-BY-4.0" }],
  sources: [{ title: "Gauge network", path: "https://gauges.example.net/" }],
  resources: [
    {
      name: "readings",
      path: "readings.csv",
      title: "Daily readings",
      schema: {
        primaryKey: ["station", "day"],
        missingValues: ["", "-999"],
        fields: [
          { name: "station", type: "string", constraints: { required: true } },
          { name: "day", type: "date", broadsheet: { role: "time" } },
          { name: "height_m", type: "number", unit: "m", constraints: { minimum: -5, maximum: 15 } },
        ],
      },
    },
  ],
  broadsheet: { update_frequency: "daily" },
};

const SURGE = `---
title: November surge
summary: What two gauges saw.
section: reports
license: CC-BY-4.0
references: [{ to: gauge, relation: uses }]
figures:
  - text: 4.12 m
    from: { file: gauge/readings.csv, aggregate: [{ op: max, column: height_m }] }
    unit: m
---
The highest water stood at 4.12 m.

\`\`\`chart
{ "mark": "bar", "title": "Highest water by gauge",
  "data": { "from": { "file": "gauge/readings.csv", "group": [{ "column": "station" }],
    "aggregate": [{ "op": "max", "column": "height_m", "as": "highest" }] } },
  "encoding": { "x": { "field": "station", "type": "nominal" }, "y": { "field": "highest", "type": "quantitative" } } }
\`\`\`
`;

/** The example of the contract, whole: a front page, a dataset, two texts and a collection. */
export const HARBOUR: Readonly<Record<string, string>> = {
  "profile.yml": `display_name: Tide Watch
tagline: Tide gauges, read daily
sections: [{ slug: reports, name: Reports }]
`,
  "gauge/datapackage.json": JSON.stringify(PACKAGE, null, 2),
  "gauge/readings.csv": "station,day,height_m\nBremen,2026-11-19,3.50\nHusum,2026-11-19,4.12\n",
  "november-surge.md": SURGE,
  "high-water.md": "---\ntype: brief\n---\nHigh water at Husum stood at 4.12 m.\n",
  "storms.collection.yml": "title: Storms\nentries: [november-surge.md, gauge]\n",
};

/** Writes files into a folder, which is a new one where none is named. */
export async function writeFiles(files: Readonly<Record<string, string>>, folder?: string): Promise<string> {
  const at = folder ?? (await openFolder());
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
  return at;
}

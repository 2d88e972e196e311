import { execFile, execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { choosePort } from "../../../../cli/embedded/port.ts";
import type { Json } from "../../../support/agent.ts";
import { openMetadataSite } from "./metadata-site.ts";

const SCRIPT = resolve(import.meta.dirname, "../../../support/load-croissant.py");

const FILES = {
  "readings.csv":
    'station,"say ""hi""",a.b,day,at,open,"x, [0]",ä 😀\nHusum,1,0.5,2026-11-18,2026-11-18T10:00:00Z,true,"p, q",ü\nBüsum,2,,2026-11-19,2026-11-19T10:00:00Z,false,r,ö\n',
  "stations.json":
    '{"stations":[{"name":"Husum","zero point":-5.5,"since":"1950-01-01"},{"name":"Büsum","since":null},{"name":"Bremen","zero point":1}],"where":[{"a.b":1}]}',
};

/** Whether Python is there, and the reader of the format's own authors in it. */
function hasReader(): boolean {
  try {
    execFileSync("python3", ["-c", "import mlcroissant"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("SKIPPED: python3 has no mlcroissant, so it did not load our Croissant documents");
    return false;
  }
}

test("mlcroissant finds no fault in a document, and loads the rows of every table", async () => {
  if (!hasReader()) return;
  const port = await choosePort();
  const siteUrl = `http://127.0.0.1:${port}`;
  const site = await openMetadataSite(FILES, { siteUrl });
  try {
    await site.service.app.listen({ port, host: "127.0.0.1" });
    // The reader keeps what it downloads under its home.
    const env = { ...process.env, HOME: site.service.deps.config.dataDir };
    const { stdout } = await promisify(execFile)("python3", [SCRIPT, `${site.page}/croissant.json`], { env });
    const { errors, warnings, records }: Json = JSON.parse(stdout);
    expect([errors, warnings]).toEqual([[], []]);
    const document = await site.read(`${site.page}/croissant.json`);
    const named = document.recordSet.map((set: Json) =>
      records[set["@id"]].map((record: Json) =>
        Object.fromEntries(set.field.map((field: Json) => [field.name, record[field["@id"]]])),
      ),
    );
    const time = (day: string, hour: string) => `${day} ${hour}`;
    expect(named).toEqual([
      [
        {
          station: "Husum",
          'say "hi"': 1,
          "a.b": 0.5,
          day: time("2026-11-18", "00:00:00"),
          at: time("2026-11-18", "10:00:00+00:00"),
          open: true,
          "x, [0]": "p, q",
          "ä 😀": "ü",
        },
        {
          station: "Büsum",
          'say "hi"': 2,
          "a.b": null,
          day: time("2026-11-19", "00:00:00"),
          at: time("2026-11-19", "10:00:00+00:00"),
          open: false,
          "x, [0]": "r",
          "ä 😀": "ö",
        },
      ],
      [
        { name: "Husum", "zero point": -5.5, since: time("1950-01-01", "00:00:00") },
        { name: "Büsum", "zero point": null, since: null },
        { name: "Bremen", "zero point": 1, since: null },
      ],
      [{ "a.b": 1 }],
    ]);
  } finally {
    await site.service.close();
  }
});

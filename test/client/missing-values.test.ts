import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { writeFiles } from "./harbour.ts";
import { openStage } from "./stage.ts";

// What a dictionary calls missing counts for the texts of the same run, before the site has any of the two.

const PACKAGE = JSON.stringify({
  name: "survey",
  title: "Survey",
  resources: [
    {
      name: "answers",
      path: "answers.csv",
      schema: {
        primaryKey: "person",
        fields: [{ name: "person" }, { name: "q1", missingValues: ["-9", "x"] }],
      },
    },
  ],
});
const chartOf = (more: string) =>
  `\`\`\`chart
{"mark":"bar","data":{"from":{"file":"survey/answers.csv"${more}}},
"encoding":{"x":{"field":"person","type":"nominal"},"y":{"field":"q1","type":"quantitative"}}}
\`\`\`
`;
const storyOf = (mean: string, chart = "") =>
  `---
title: What people say
figures:
  - text: ${mean} points
    from: { file: survey/answers.csv, aggregate: [{ op: avg, column: q1 }] }
    unit: points
---
They give ${mean} points.

${chart}`;
const rowsOf = (...cells: string[]) =>
  `person,q1\n${cells.map((cell, at) => `p${at + 1},${cell}\n`).join("")}`;

test("figures and charts of a first run, and of one that brings data, take what the dictionary calls missing", async () => {
  const stage = await openStage();
  const profile = { "profile.yml": "display_name: Tide Watch\n" };
  const files = { ...profile, "survey/datapackage.json": PACKAGE };
  const folder = await writeFiles({ ...files, "survey/answers.csv": rowsOf("5", "-9", "4", "x") });
  const publish = async (...options: string[]) => await stage.client(folder, "publish", ".", ...options);

  await writeFiles({ "say.md": storyOf("4.6") }, folder);
  const refused = await publish();
  expect([refused.exit, refused.json.errors[0].message]).toEqual([1, "The data say 4.5 points."]);

  const charts = chartOf("") + chartOf(',"blank":["-9","x"]');
  await writeFiles({ "say.md": storyOf("4.5", charts) }, folder);
  const tried = await publish("--dry-run");
  expect([tried.exit, tried.json.errors]).toEqual([0, []]);
  const first = await publish();
  expect([first.exit, first.json.errors]).toEqual([0, []]);
  const { evidence } = first.json.works.find(({ path }: Json) => path === "say.md");
  expect(evidence).toMatchObject({ figures: 1, charts_from_data: 2, holds: 3 });
  expect((await publish()).json.works.map(({ did }: Json) => did)).toEqual([
    "unchanged",
    "unchanged",
    "unchanged",
  ]);

  await writeFiles(
    { "survey/answers.csv": rowsOf("5", "-9", "4", "x", "3", "-9"), "say.md": storyOf("4", chartOf("")) },
    folder,
  );
  const second = await publish();
  expect([second.exit, second.json.errors]).toEqual([0, []]);
  const work = (await stage.agent.get("/creations")).json.data.find(({ type }: Json) => type === "story");
  const { payload } = (await stage.agent.get(`/creations/${work.id}`)).json.data.latest_revision;
  expect(JSON.stringify(payload)).not.toContain("blank");
});

test("a question that says itself what is blank is asked as it stands", async () => {
  const stage = await openStage();
  const story = storyOf("0", chartOf(',"blank":["x"]')).replace(
    "column: q1 }]",
    'column: q1 }], blank: ["x"]',
  );
  const folder = await writeFiles({
    "profile.yml": "display_name: Tide Watch\n",
    "survey/datapackage.json": PACKAGE,
    "survey/answers.csv": rowsOf("5", "-9", "4", "x"),
    "say.md": story,
  });
  const { exit, json } = await stage.client(folder, "publish", ".");
  expect([exit, json.errors]).toEqual([0, []]);
});

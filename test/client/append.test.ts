import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolder } from "../support/close-afterwards.ts";
import { sequence } from "../support/log.ts";
import { writeFiles } from "./harbour.ts";
import { openStage } from "./stage.ts";

const ROWS = "day;price\n2026-11-19;1,50\n";
const FILES = {
  "prices/datapackage.json": JSON.stringify({
    ...{ name: "prices", title: "Prices", licenses: [{ name: "CC0-1.0" }] },
    resources: [{ path: "prices.csv", name: "prices", dialect: { delimiter: ";", decimalChar: "," } }],
  }),
  "prices/prices.csv": ROWS,
};

test("a file that is read by a dialect keeps it when rows are appended, and goes on from there", async () => {
  const stage = await openStage();
  const folder = await writeFiles(FILES);
  const run = (...args: string[]) => stage.client(folder, ...args);
  const rowsOf = () => readFile(join(folder, "prices/prices.csv"), "utf8");
  const published = await run("publish", ".");
  expect(published.exit, published.stdout).toBe(0);
  const pull = async () => {
    await sequence(stage.service);
    return (await run("pull", "@tidewatch", ".")).json.works;
  };
  expect(await pull()).toMatchObject([{ did: "unchanged", proof: ".broadsheet/proofs/prices.json" }]);
  const known = await readFile(join(folder, "broadsheet.json"), "utf8");
  await writeFiles(
    {
      "one.csv": "day;price\r\n2026-11-20;2,25\r\n",
      "two.csv": "day;price\n2026-11-21;3,00\n",
      "other.csv": "day,price\n2026-11-22,4.00\n",
    },
    stage.env.HOME,
  );
  const at = (name: string) => join(stage.env.HOME ?? "", name);
  const one = await run("append", "prices", at("one.csv"));
  expect(one.json.works, one.stdout).toMatchObject([{ path: "prices", did: "updated", rows: 2 }]);
  expect(await rowsOf()).toBe(`${ROWS}2026-11-20;2,25\r\n`);
  // Killed before broadsheet.json was written, the same call takes up its answer.
  await writeFiles({ "broadsheet.json": known }, folder);
  const again = await run("append", "prices", at("one.csv"));
  expect(again.json.works, again.stdout).toMatchObject([{ did: "unchanged", revision_number: 2 }]);
  expect(await rowsOf()).toBe(`${ROWS}2026-11-20;2,25\r\n`);

  const same = await run("publish", ".");
  expect(same.json.works, same.stdout).toMatchObject([{ path: "prices", did: "unchanged" }]);
  const two = await run("append", "prices", at("two.csv"));
  expect(two.json.works, two.stdout).toMatchObject([{ did: "updated", rows: 3 }]);
  const whole = `${ROWS}2026-11-20;2,25\r\n2026-11-21;3,00\n`;
  expect(await rowsOf()).toBe(whole);
  const shown = await run("call", "GET", "/@tidewatch/prices.json");
  const [, media] = /\/media\/(\w{26})/.exec(shown.json.data.files[0].url) ?? [];
  const canonical = await run("call", "GET", `/media/${media}/rows/all.csv`);
  expect(canonical.stdout.replaceAll("\r\n", "\n")).toBe(
    "day,price\n2026-11-19,1.50\n2026-11-20,2.25\n2026-11-21,3.00\n",
  );

  // The log has the file as it lies here.
  expect(await pull()).toMatchObject([{ did: "unchanged", proof: ".broadsheet/proofs/prices.json" }]);
  expect(await rowsOf()).toBe(whole);

  stage.requests.length = 0;
  const other = await run("append", "prices", at("other.csv"));
  expect([other.exit, other.json.errors]).toMatchObject([
    1,
    [
      {
        path: at("other.csv"),
        message: expect.stringContaining(
          `begins with "day;price", ${at("other.csv")} with "day,price"; add the rows`,
        ),
      },
    ],
  ]);
  expect(stage.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await rowsOf()).toBe(whole);

  // Pulled elsewhere the file keeps its dialect, and grows on there.
  const far = await openFolder();
  await stage.client(far, "pull", "@tidewatch", ".");
  await writeFiles({ "far.csv": "day;price\n2026-11-23;5,50\n" }, stage.env.HOME);
  const added = await stage.client(far, "append", "prices", at("far.csv"));
  expect(added.json.works, added.stdout).toMatchObject([{ did: "updated", rows: 4 }]);
  expect(await readFile(join(far, "prices/prices.csv"), "utf8")).toBe(`${whole}2026-11-23;5,50\n`);
  expect((await stage.client(far, "publish", ".")).json.works).toMatchObject([{ did: "unchanged" }]);
  await writeFiles({ "late.csv": "day;price\n2026-11-24;6,00\n" }, stage.env.HOME);
  const behind = await run("append", "prices", at("late.csv"));
  expect([behind.exit, await rowsOf()]).toEqual([3, whole]);
});

test("the whole of a file that grew in its dialect is read by it as before", async () => {
  const stage = await openStage();
  const folder = await writeFiles(FILES);
  const run = (...args: string[]) => stage.client(folder, ...args);
  await run("publish", ".");
  await writeFiles({ "one.csv": "day;price\n2026-11-20;2,25\n" }, stage.env.HOME);
  await run("append", "prices", join(stage.env.HOME ?? "", "one.csv"));
  const whole = `${ROWS}2026-11-20;2,25\n`;
  await writeFiles({ "prices/prices.csv": whole.replace("1,50", "1,55") }, folder);
  const edited = await run("publish", ".");
  expect(edited.json.works, edited.stdout).toMatchObject([{ path: "prices", did: "updated", rows: 2 }]);
});

test("lines and lists of JSON grow by theirs, and what the site refuses leaves the file as it was", async () => {
  const stage = await openStage();
  const files = [
    { path: "list.json", name: "list" },
    { path: "lines.jsonl", name: "lines" },
  ];
  const folder = await writeFiles({
    "d/datapackage.json": JSON.stringify({ title: "D", licenses: [{ name: "CC0-1.0" }], resources: files }),
    "d/list.json": '[\n  { "n": 1 },\n  { "n": 2.50 }\n]\n',
    "d/lines.jsonl": '{"n":1}',
    "text.md": "No work, since its front matter ends nowhere.\n",
  });
  const run = (...args: string[]) => stage.client(folder, ...args);
  expect((await run("publish", ".")).exit).toBe(0);
  await writeFiles(
    { "more.json": '[{ "n": 3 }]', "more.jsonl": '{"n":2}\n', "bad.json": "[{ n: 3 }]" },
    folder,
  );
  await writeFiles({ "text.md": "---\ntitle: A\n" }, folder);
  const append = (label: string, file: string) => run("append", "d", join(folder, file), "--label", label);
  expect((await append("list", "more.json")).json).toMatchObject({ ok: true, works: [{ did: "updated" }] });
  expect((await append("lines", "more.jsonl")).json).toMatchObject({ ok: true, works: [{ did: "updated" }] });
  const grown = '[\n  { "n": 1 },\n  { "n": 2.50 },{ "n": 3 }]';
  expect(await readFile(join(folder, "d/list.json"), "utf8")).toBe(grown);
  expect(await readFile(join(folder, "d/lines.jsonl"), "utf8")).toBe('{"n":1}\n{"n":2}\n');
  const { exit, json } = await append("list", "bad.json");
  expect([exit, json.errors[0].path]).toEqual([1, "d/list.json"]);
  expect(await readFile(join(folder, "d/list.json"), "utf8")).toBe(grown);
});

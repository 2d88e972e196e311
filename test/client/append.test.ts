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
  expect(one.json.works, one.stdout).toMatchObject([{ path: "prices", rows: 2, rows_added: 1 }]);
  expect(await rowsOf()).toBe(`${ROWS}2026-11-20;2,25\r\n`);
  // Killed before broadsheet.json was written, the same call takes up its answer.
  await writeFiles({ "broadsheet.json": known }, folder);
  const again = await run("append", "prices", at("one.csv"));
  expect(again.json.works, again.stdout).toMatchObject([{ did: "unchanged", rows: 2 }]);
  expect(await rowsOf()).toBe(`${ROWS}2026-11-20;2,25\r\n`);

  const same = await run("publish", ".");
  expect(same.json.works, same.stdout).toMatchObject([{ path: "prices", did: "unchanged" }]);
  const two = await run("append", "prices", at("two.csv"));
  expect(two.json.works, two.stdout).toMatchObject([{ rows: 3, rows_added: 1 }]);
  const whole = `${ROWS}2026-11-20;2,25\r\n2026-11-21;3,00\n`;
  expect(await rowsOf()).toBe(whole);
  const shown = await run("call", "GET", "/@tidewatch/prices.json");
  const [, media] = /\/media\/(\w{26})/.exec(shown.json.data.files[0].url) ?? [];
  const canonical = await run("call", "GET", `/media/${media}/rows/all.csv`);
  expect(canonical.stdout.replaceAll("\r\n", "\n")).toBe(
    "day,price\n2026-11-19,1.50\n2026-11-20,2.25\n2026-11-21,3.00\n",
  );

  // The log has the canonical file, which is not the one that lies here.
  expect(await pull()).toMatchObject([{ did: "unchanged", proof: null }]);
  expect(await rowsOf()).toBe(whole);

  stage.requests.length = 0;
  const other = await run("append", "prices", at("other.csv"));
  expect([other.exit, other.json.errors]).toMatchObject([
    1,
    [
      {
        path: at("other.csv"),
        message: expect.stringContaining(
          `begins with "day;price", ${at("other.csv")} with "day,price". Add the rows`,
        ),
      },
    ],
  ]);
  expect(stage.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await rowsOf()).toBe(whole);

  // Pulled elsewhere the file is canonical, and rows of the dialect are added to it as the site writes them.
  const far = await openFolder();
  await stage.client(far, "pull", "@tidewatch", ".");
  await writeFiles({ "far.csv": "day;price\n2026-11-23;5,50\n" }, stage.env.HOME);
  const added = await stage.client(far, "append", "prices", at("far.csv"));
  expect(added.json.works, added.stdout).toMatchObject([{ rows: 4, rows_added: 1 }]);
  expect(await readFile(join(far, "prices/prices.csv"), "utf8")).toMatch(/^day,price\r?\n.*23,5\.50\r?\n$/s);
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

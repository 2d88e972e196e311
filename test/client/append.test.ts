import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startSweeps } from "../../workers/runner.ts";
import type { Json } from "../support/agent.ts";
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
        message: `No rows of ${at("other.csv")} can follow prices/prices.csv; add them by hand, and publish.`,
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

test("lines of JSON grow by theirs, and what the site refuses leaves the file as it was", async () => {
  const stage = await openStage();
  const resources = [{ path: "lines.jsonl", name: "lines" }];
  const folder = await writeFiles({
    "d/datapackage.json": JSON.stringify({ title: "D", licenses: [{ name: "CC0-1.0" }], resources }),
    "d/lines.jsonl": '{"n":1}',
    "text.md": "---\ntitle: A\n---\nA.\n",
  });
  const append = (file: string) => stage.client(folder, "append", "d", join(folder, file));
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  await writeFiles(
    { "more.jsonl": '{"n":2}\n', "bad.jsonl": "{ n: 3 }", "text.md": "---\ntitle: A\n" },
    folder,
  );
  expect((await append("more.jsonl")).json).toMatchObject({ ok: true, works: [{ did: "updated" }] });
  const grown = '{"n":1}\n{"n":2}\n';
  expect(await readFile(join(folder, "d/lines.jsonl"), "utf8")).toBe(grown);
  const { exit, json } = await append("bad.jsonl");
  expect([exit, json.errors[0].path]).toEqual([1, "d/lines.jsonl"]);
  expect(await readFile(join(folder, "d/lines.jsonl"), "utf8")).toBe(grown);
});

const packageOf = (path: string, dialect?: object) =>
  JSON.stringify({ title: path, licenses: [{ name: "CC0-1.0" }], resources: [{ path, name: "t", dialect }] });

test("a file whose rows do not follow one line of names, or that is packed, is left as it is", async () => {
  const stage = await openStage();
  const text = "Title\na,b\n1,x\n2,y\n";
  const files: [string, object | undefined, string | Buffer][] = [
    ["d.csv", undefined, '"a\nq",b\n1,x\n'],
    ["d.csv", { header: false }, "1,x\n2,y\n"],
    ["d.json", undefined, '[{ "a": 1 }]'],
    ["d.csv", { headerRows: [2] }, text],
    ["d.csv", { commentChar: "T" }, text],
    ["d.csv", { headerRows: [2], rows: [1, 2] }, text],
    ["d.csv", { encoding: "utf-16le" }, Buffer.from("\uFEFFa,b\n1,x\n", "utf16le")],
    ["d.csv.gz", { header: false }, gzipSync("1,x\n2,y\n")],
    ["d.tsv", { nullColumns: "name" }, "\ta\tb\n1\t2\t3\n"],
  ];
  for (const [path, dialect, content] of files) {
    const folder = await writeFiles({ "d/datapackage.json": packageOf(path, dialect) });
    const at = join(folder, "d", path);
    await writeFile(at, content);
    expect((await stage.client(folder, "publish", ".")).exit, path).toBe(0);
    await writeFile(join(folder, "piece"), path === "d.tsv" ? "a\tb\n1\t2\n" : content);
    const { exit, json } = await stage.client(folder, "append", "d", join(folder, "piece"), "--label", "t");
    expect([exit, json.errors[0].code], path).toEqual([1, "other_header"]);
    expect(Buffer.from(content).equals(await readFile(at))).toBe(true);
  }
});

test("a fault of a dialect names its member, as the site does", async () => {
  const stage = await openStage();
  const csv = { csv: { delimiter: ";" } };
  const folder = await writeFiles({ "d/datapackage.json": packageOf("d.csv", csv), "d/d.csv": "a;b\n1;2\n" });
  const { exit, json } = await stage.client(folder, "publish", ".");
  expect([exit, json.errors[0].path, json.errors[0].field]).toEqual([1, "d/datapackage.json", "dialect.csv"]);
});

test("an append that was killed while the texts were asked is not done twice, and a refused one is taken back", async () => {
  const stage = await openStage();
  const figure = '  - text: "2"\n    from: { file: d/d.csv, aggregate: [{ op: max, column: n }] }\n';
  const folder = await writeFiles({
    "d/datapackage.json": packageOf("d.csv"),
    "d/d.csv": "n\n1\n2\n",
    "text.md": `---\ntitle: A\nfigures:\n${figure}---\nIt is 2.\n`,
    piece: "n\n3\n",
    bad: "n\n4,4\n",
  });
  const run = (...args: string[]) => stage.client(folder, ...args);
  const at = join(folder, "d/d.csv");
  expect((await run("publish", ".")).exit).toBe(0);
  const { program, env } = stage;
  const child = spawn(process.execPath, [program, "append", "d", "piece"], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  // Nothing asks the text again here, so that the append waits for it.
  const readKnown = async () => JSON.parse(await readFile(join(folder, "broadsheet.json"), "utf8"));
  const readLive = async () => ((await (await fetch(`${stage.site}/@tidewatch/d.json`)).json()) as Json).data;
  await expect.poll(readLive, { timeout: 30_000 }).toMatchObject({ revision_number: 2 });
  child.kill("SIGKILL");
  await ended;
  const table = await readFile(join(folder, "d/datapackage.json"), "utf8");
  await writeFiles(
    { "d/datapackage.json": table.replace("{", '{"broadsheet": {"update_frequency": "at times"},') },
    folder,
  );
  expect((await run("append", "d", "piece")).exit).toBe(1);
  await writeFiles({ "d/datapackage.json": table }, folder);
  const { json } = await run("publish", ".");
  expect(json.works.map(({ path, did }: { path: string; did: string }) => [path, did])).toContainEqual([
    "d",
    "unchanged",
  ]);
  const sweeps = startSweeps(stage.service, ["inspect"]);
  onTestFinished(() => sweeps.stop());
  // What is wrong with other works keeps no rows back.
  await writeFiles(
    {
      "text.md": `---\ntitle: A\nslug: b\nfigures:\n${figure}---\nIt is 2.\n`,
      "e/datapackage.json": packageOf("e.csv"),
      "e/e.csv": "a,b\n1\n",
    },
    folder,
  );
  const again = await run("append", "d", "piece");
  expect(again.json.works[0], again.stdout).toMatchObject({ did: "unchanged", revision_number: 2 });
  expect(await readFile(at, "utf8")).toBe("n\n1\n2\n3\n");
  const twice = await run("append", "d", "piece");
  expect(twice.json.works[0], twice.stdout).toMatchObject({ did: "updated", rows: 4 });
  await writeFile(at, "n\n1\n2\n3\n3\n4,4\n");
  expect((await run("append", "d", "bad")).exit).toBe(1);
  expect(JSON.stringify(await readKnown())).not.toContain("appending");
  expect(await readFile(at, "utf8")).toBe("n\n1\n2\n3\n3\n");
  expect((await run("append", "d", "piece", "--label", "other")).exit).toBe(2);
}, 120_000);

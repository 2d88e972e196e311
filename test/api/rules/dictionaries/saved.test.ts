import { expect, test } from "vitest";
import { findPrimaryKey } from "../../../../shared/datasets/dictionaries/check-dictionaries.ts";
import { connectAuthor, type Json, publish, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { DICTIONARY, makeReadings, saveOne, uploadBoth, writePayload } from "./datasets.ts";

const service = await openService();
const agent = await connectAuthor(service);
const files = await uploadBoth(service, agent);

const get = async (url: string) => await request(service, { method: "GET", url });
const save = async (dictionary: Json) =>
  await agent.send("POST", "/creations", { type: "dataset", payload: writePayload(files, dictionary) });
/** A dictionary with another first column, or other members of it. */
const withColumn = (at: number, members: Json) => ({
  ...DICTIONARY,
  columns: DICTIONARY.columns.map((column, place) => (place === at ? { ...column, ...members } : column)),
});
const PATH = "payload.attachments.0.dictionary";

test("a dictionary that holds is saved as it was sent, and public JSON has it and its checks behind its file", async () => {
  const draft = await makeReadings(agent, files, DICTIONARY);
  const own = (await agent.get(`/creations/${draft.id}`)).json.data;
  expect(own.latest_revision.payload.attachments[0].dictionary).toEqual(DICTIONARY);
  expect("dictionary" in own.latest_revision.payload.attachments[1]).toBe(false);
  await publish(agent, draft);
  const shown = (await get(`/@${agent.handle}/${draft.slug}.json`)).json.data;
  expect(Object.keys(shown.files[0]).slice(-5)).toEqual([
    ...["dictionary", "checks", "dialect", "canonical_sha256", "latest_url"],
  ]);
  expect(shown.files[0].dictionary).toEqual(DICTIONARY);
  expect(shown.files[0].checks).toEqual({ checked_at: "2026-11-20T09:00:00Z", rules: 7, passed: 7 });
  expect([shown.files[1].dictionary, shown.files[1].checks]).toEqual([null, null]);
  const { deps } = service;
  expect(await findPrimaryKey(deps, files.readings.id, null)).toEqual(["station", "day"]);
  expect(await findPrimaryKey(deps, files.stations.id, null)).toBeNull();
});

test("every rule that does not hold is refused with its row, all at once", async () => {
  const reply = await save({
    primary_key: ["station", "quality"],
    columns: [
      { name: "station", unique: true, references: { label: "Stations", column: "name" } },
      { name: "height_m", maximum: 15, minimum: 4 },
      { name: "quality", required: true, categories: [{ value: "A" }] },
      { name: "day", minimum: "2026-11-20", maximum: "2026-11" },
    ],
  });
  expect([reply.status, reply.json.errors]).toEqual([
    422,
    {
      [`${PATH}.primary_key`]: ["Row 3 repeats the key of row 2."],
      [`${PATH}.columns.0.unique`]: ['Row 3 holds "H", as row 2 does.'],
      [`${PATH}.columns.0.references`]: ['Row 2 holds "H", which does not occur in "name" of "Stations".'],
      [`${PATH}.columns.1.minimum`]: ["Row 4 holds -999, below 4."],
      [`${PATH}.columns.1.maximum`]: ["Row 3 holds 41.2, above 15."],
      [`${PATH}.columns.2.required`]: ["Row 5 is blank."],
      [`${PATH}.columns.2.categories`]: ['Row 4 holds "B", which is none of the categories.'],
      [`${PATH}.columns.3.minimum`]: ['Row 2 holds "2026-11-19", below 2026-11-20.'],
      [`${PATH}.columns.3.maximum`]: ["The maximum must be of the same form as the minimum."],
    },
  ]);
});

test("names that the file does not have are refused with the nearest", async () => {
  const reply = await save({
    table: "readings",
    columns: [{ name: "station" }],
  });
  expect(reply.json.errors).toEqual({
    [`${PATH}.table`]: ["The file is one table without a name; leave table out."],
  });
  const columns = await save({
    primary_key: ["statoin"],
    columns: [
      { name: "heigth_m" },
      { name: "station", references: { label: "Station", column: "id" } },
      { name: "day", references: { label: "Stations", column: "idd" } },
    ],
  });
  expect(columns.json.errors).toEqual({
    [`${PATH}.columns.0.name`]: [
      'The table has no such column. Did you mean "height_m"? It has "station", "day", "height_m", "quality". Names are exact.',
    ],
    [`${PATH}.columns.1.references.label`]: [
      'No other attachment of this payload has this label. There are "Stations".',
    ],
    [`${PATH}.columns.2.references.column`]: ['The file "Stations" has no such column. Names are exact.'],
    [`${PATH}.primary_key.0`]: [
      'The table has no such column. Did you mean "station"? It has "station", "day", "height_m", "quality". Names are exact.',
    ],
  });
});

test("a save of the same file under the same dictionary takes the earlier check over, and finds the same", async () => {
  const checks = async (dictionary: Json) => {
    const draft = await makeReadings(agent, files, dictionary);
    const [row] = await runSql(
      service,
      "SELECT checks, rules_sha256 FROM revision_files WHERE revision_id = $1 AND position = 0",
      [draft.latest_revision.id],
    );
    return row;
  };
  const first = await checks(DICTIONARY);
  service.clock.nowMs += 60_000;
  const again = await checks(DICTIONARY);
  expect(again).toEqual(first);
  const other = await checks(withColumn(1, { maximum: 51 }));
  expect(other.rules_sha256).not.toBe(first.rules_sha256);
  expect(other.checks.checked_at > first.checks.checked_at).toBe(true);
  // Without what was kept, the long way finds the same at a later time.
  await runSql(
    service,
    "UPDATE revision_files SET rules_sha256 = repeat('0', 64) WHERE rules_sha256 IS NOT NULL",
  );
  const anew = await checks(DICTIONARY);
  expect(anew.rules_sha256).toBe(first.rules_sha256);
  expect({ ...anew.checks, checked_at: null }).toEqual({ ...first.checks, checked_at: null });
  expect(anew.checks.checked_at > first.checks.checked_at).toBe(true);
});

test("a change of the file to which a column refers is checked again", async () => {
  const { readings } = files;
  const { stations } = await uploadBoth(service, agent);
  const draft = await makeReadings(agent, { readings, stations }, DICTIONARY);
  expect(draft.id).toBeDefined();
  const fewer = (await agent.upload("stations.csv", "id,name\nH,Husum\n")).json.data;
  const payload = writePayload({ readings, stations: fewer }, DICTIONARY);
  const reply = await agent.send("POST", "/creations", { type: "dataset", payload });
  expect(reply.json.errors).toEqual({
    [`${PATH}.columns.0.references`]: ['Row 4 holds "T", which does not occur in "id" of "Stations".'],
  });
});

test("tables of a document are described one by one", async () => {
  const content = JSON.stringify({
    gauges: [
      { id: 1, name: "Husum" },
      { id: 2, name: "" },
    ],
    readings: [{ gauge: 1, height: 4.5 }, { gauge: "2", height: null }, { gauge: 3 }],
  });
  const asset = (await agent.upload("both.json", content)).json.data;
  const unnamed = await saveOne(agent, asset, { columns: [{ name: "id" }] });
  expect(unnamed.json.errors).toEqual({
    [`${PATH}.table`]: ['The file has several tables; name one of "gauges", "readings".'],
  });
  const reply = await saveOne(agent, asset, [
    { table: "gauges", primary_key: ["id"], columns: [{ name: "name", required: true }] },
    {
      table: "readings",
      columns: [{ name: "gauge", minimum: 1, categories: [{ value: "1" }, { value: "2" }, { value: "3" }] }],
    },
    { table: "gauges", columns: [{ name: "id" }] },
  ]);
  expect(reply.json.errors).toEqual({
    [`${PATH}.2`]: ["An earlier dictionary is of this table; describe each table once."],
    [`${PATH}.0.columns.0.required`]: ["Row 2 is blank."],
    [`${PATH}.1.columns.0.minimum`]: [
      'Row 2 holds "2", which is not a number; list it under missing_values where it stands for blank.',
    ],
  });
  const broken = await saveOne(agent, asset, [
    { table: "gauges", primary_key: ["id"], columns: [{ name: "name", required: true }] },
    {
      table: "readings",
      columns: [{ name: "gauge", minimum: 1, categories: [{ value: "1" }, { value: "2" }] }],
    },
  ]);
  expect(broken.json.errors).toEqual({
    [`${PATH}.0.columns.0.required`]: ["Row 2 is blank."],
    [`${PATH}.1.columns.0.minimum`]: [
      'Row 2 holds "2", which is not a number; list it under missing_values where it stands for blank.',
    ],
    [`${PATH}.1.columns.0.categories`]: ["Row 3 holds 3, which is none of the categories."],
  });
});

test("a payload without a dictionary keeps its checksum and emits none", async () => {
  const without = await makeReadings(agent, files, undefined);
  const withNull = await makeReadings(agent, files, null);
  expect(withNull.latest_revision.checksum).toBe(without.latest_revision.checksum);
  expect(JSON.stringify(withNull.latest_revision.payload)).not.toContain("dictionary");
  const withOne = await makeReadings(agent, files, DICTIONARY);
  expect(withOne.latest_revision.checksum).not.toBe(without.latest_revision.checksum);
});

import { expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";
import { askFile, describe, HEIGHTS, MISSING, makeDataset, update } from "./works.ts";

const service = await openService({ limits: { queriesPerMinute: 500 } });
const agent = await connectAuthor(service);
const { asset, dataset } = await makeDataset(service, agent, MISSING);
const MEAN = { aggregate: [{ op: "sum", column: "height_m", as: "sum" }] };
const OF_HEIGHTS = { column: "height_m", values: ["-999", "NA"] };
const ask = async (query: string | object, more: object = {}) => await askFile(service, asset, query, more);
const get = async (url: string) => await request(service, { method: "GET", url });

test("a question that names no blanks takes those of the dictionary, and is kept with them", async () => {
  const { json, headers } = await ask(MEAN);
  expect(json.data).toMatchObject({ rows: [[11.2]], blank_from: "dictionary" });
  expect(json.data.question).toEqual({ blank: [OF_HEIGHTS], ...MEAN });
  expect(headers["cache-control"]).toBe("no-cache");
  const again = await ask(json.data.question);
  expect([again.json.data.rows, again.json.data.blank_from]).toEqual([[[11.2]], "question"]);
  expect([again.headers["cache-control"], again.headers.etag]).toEqual(["public, max-age=60", headers.etag]);
  const named = "blank[3][column]=height_m&blank[3][value][]=-999&blank[3][value][]=NA";
  const byName = await ask(
    `${named}&aggregate[0][op]=sum&aggregate[0][column]=height_m&aggregate[0][as]=sum`,
  );
  expect(byName.json.data.question).toEqual(json.data.question);
});

test("blanks hold in filters, words, groups, sorts and facets, of their own column alone", async () => {
  const rowsOf = async (query: string) => (await ask(`columns[]=day&${query}`)).json.data.rows.length;
  expect(await rowsOf("filter[0][column]=height_m&filter[0][op]=lt&filter[0][value]=0")).toBe(0);
  expect(await rowsOf("filter[0][column]=height_m&filter[0][op]=eq")).toBe(3);
  // "NA" stands in two columns, and "-999" in the other is a grade.
  expect([await rowsOf("q=NA"), await rowsOf("q=999"), await rowsOf("q=NA&blank=none")]).toEqual([0, 1, 2]);
  const grades = (await ask("group[0][column]=grade&facet[]=height_m")).json.data;
  expect(grades.rows).toEqual([
    ["A", 3],
    [null, 1],
    ["-999", 1],
    ["B", 1],
  ]);
  expect(grades.facets[0]).toMatchObject({ distinct: 3, blanks: 3 });
  const sorted = (await ask("sort[0][column]=height_m&columns[]=height_m")).json.data;
  expect(sorted.rows.flat()).toEqual(["3.2", "3.9", "4.1", "-999", "NA", null]);
});

test("blank=none and an empty list ask of cells as written, a list of texts of those texts", async () => {
  const count = { aggregate: [{ op: "count", column: "height_m" }] };
  for (const query of [
    "blank=none&aggregate[0][op]=count&aggregate[0][column]=height_m",
    { ...count, blank: [] },
  ]) {
    const { data } = (await ask(query)).json;
    expect([data.rows, data.blank_from, data.question.blank]).toEqual([[[5]], null, []]);
  }
  const text = (await ask({ ...count, blank: ["NA"] })).json.data;
  expect([text.rows, text.blank_from]).toEqual([[[4]], "question"]);
  const refused = await ask({ ...MEAN, blank: ["x", { column: "heigth_m", values: ["-999"] }] });
  expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["blank.1.column"]]);
  expect(refused.json.errors["blank.1.column"][0]).toContain('Did you mean "height_m"?');
  const wrong = await ask({
    ...count,
    blank: [{ column: "day", values: [] }, 7, { column: "day", value: "x" }],
  });
  expect(Object.keys(wrong.json.errors).sort()).toEqual([
    "blank.0.values",
    "blank.2.column",
    "blank.2.value",
    "blank.2.values",
  ]);
});

test("an answer without columns that decide has no blanks, and rows and exports stay as written", async () => {
  const { data } = (await ask("limit=2")).json;
  expect([data.rows[1][2], data.blank_from, data.question]).toEqual(["-999", null, { limit: 2 }]);
  expect((await get(`/media/${asset.id}/rows/all.csv`)).text).toBe(HEIGHTS.replaceAll("\n", "\r\n"));
  const sums = await get(
    `/media/${asset.id}/query/all.csv?group[0][column]=station&aggregate[0][op]=sum&aggregate[0][column]=height_m`,
  );
  expect(sums.text).toBe("station,sum_height_m\r\nHusum,3.9\r\nBüsum,3.2\r\nTönning,4.1\r\n");
  expect([sums.headers["cache-control"], sums.headers.link]).toEqual([
    "no-cache",
    expect.stringContaining("-999"),
  ]);
});

test("statistics, the page and describe_dataset leave the cells out and count them", async () => {
  const stats = (await get(`/media/${asset.id}/stats`)).json;
  const [, , height, grade] = stats.data.columns;
  expect(height).toMatchObject({
    type: "number",
    count: 3,
    blanks: 1,
    missing: 2,
    distinct: 3,
    min: 3.2,
    max: 4.1,
  });
  expect(height.mean).toBeCloseTo(11.2 / 3, 12);
  expect(grade).toMatchObject({ type: "mixed", count: 5, blanks: 0, missing: 1 });
  const page = (await get(`/@${agent.handle}/${dataset.slug}`)).text;
  expect(page).toContain('<th scope="col" class="fg">Missing</th>');
  expect(page).toContain('"minValue":3.2');
  const table = (await get(`/@${agent.handle}/${dataset.slug}/files/1`)).text;
  expect(table).toContain("NULLIF(NULLIF(&quot;height_m&quot;, &#39;-999&#39;), &#39;NA&#39;)");
  const told = await call(service, undefined, "describe_dataset", { asset_id: asset.id });
  const [, , described] = told.json.data.files[0].tables[0].columns;
  expect(described).toMatchObject({ name: "height_m", type: "number", blanks: 1, missing: 2, max: 4.1 });
  const asked = await call(service, undefined, "query_dataset_rows", {
    asset_id: asset.id,
    ...MEAN,
    blank: [OF_HEIGHTS],
  });
  expect(asked.json.data).toMatchObject({ rows: [[11.2]], blank_from: "question" });
});

test("the dictionary is that of the live revision; a question that was kept stays as it was", async () => {
  const { asset: other, dataset: work } = await makeDataset(service, agent, null, {
    content: `${HEIGHTS}X,2026-11-20,1,A\n`,
  });
  const count = { aggregate: [{ op: "count", column: "height_m" }] };
  const before = await askFile(service, other, count);
  expect(before.json.data).toMatchObject({ rows: [[6]], blank_from: null, question: { blank: [] } });
  await update(agent, work.id, { payload: describe(other, MISSING) });
  const after = await askFile(service, other, count, { headers: { "if-none-match": before.headers.etag } });
  expect([after.status, after.json.data.rows]).toEqual([200, [[4]]]);
  expect((await askFile(service, other, before.json.data.question)).json.data.rows).toEqual([[6]]);
  expect((await get(`/media/${other.id}/stats`)).json.data.columns[2].missing).toBe(2);
  const url = `/@${agent.handle}/${work.slug}/revisions/1`;
  expect((await get(url)).text).not.toContain(">Missing</th>");
  // A second work, published later, says something else of the same file.
  const { slug } = (
    await agent.send("POST", "/creations", { type: "dataset", publish: {}, payload: describe(other, null) })
  ).json.data;
  expect((await askFile(service, other, count)).json.data.rows).toEqual([[4]]);
  expect((await get(`/@${agent.handle}/${slug}`)).text).not.toContain(">Missing</th>");
});

test("a file that replaces one with a dictionary and has none is told of; changes.files keeps it", async () => {
  const { dataset: work } = await makeDataset(service, agent, MISSING);
  const { asset: newer } = await makeDataset(service, agent, null, {
    content: `${HEIGHTS}Y,2026-11-20,1,A\n`,
    isDraft: true,
  });
  const kept = await update(agent, work.id, {
    changes: { files: [{ label: "Heights", asset_id: newer.id }] },
  });
  const dropped = ({ json }: { json: Json }) =>
    json.warnings.filter(({ code }: Json) => code === "dictionary_dropped");
  expect([dropped(kept), kept.json.data.latest_revision.payload.attachments[0].dictionary]).toEqual([
    [],
    MISSING,
  ]);
  const swapped = await update(agent, work.id, { changes: { set: describe(asset, null) } });
  expect(dropped(swapped)).toEqual([
    {
      code: "dictionary_dropped",
      field: "payload.attachments.0",
      message: expect.stringContaining('It takes the place of the file "Heights"'),
    },
  ]);
  const described = { set: describe(asset, MISSING) };
  expect(dropped(await update(agent, work.id, { changes: described }))).toEqual([]);
  const [warning] = dropped(await update(agent, work.id, { changes: { set: describe(asset, null) } }));
  expect(warning.message).toContain('It is the file "Heights", which had a dictionary');
});

test("statistics count towards the agent's texts, and go with the last revision that has their dictionary", async () => {
  const { asset: file, dataset: work } = await makeDataset(service, agent, MISSING, {
    content: `${HEIGHTS}Z,2026-11-20,1,A\n`,
  });
  const kept = async () => {
    const rows = await runSql(service, "SELECT counted_bytes FROM described_stats WHERE asset_id = $1", [
      file.id,
    ]);
    return rows.length;
  };
  const used = async () => (await agent.get("/agent")).json.data.usage.text_bytes;
  await untilJobsAreDone(service);
  const before = await used();
  await get(`/media/${file.id}/stats`);
  expect([await kept(), (await used()) > before + 500]).toEqual([1, true]);
  service.clock.nowMs += 2 * DAY_MS;
  expect([await sweepExpiredRows(service.deps), await kept()]).toMatchObject([
    { forgotten_statistics: 0 },
    1,
  ]);
  const other = { columns: [{ name: "height_m", missing_values: ["NA"] }] };
  await update(agent, work.id, { payload: describe(file, other) });
  await get(`/media/${file.id}/stats`);
  expect(await kept()).toBe(2);
  await removeContent(service.deps, COMMAND_LINE, work.latest_revision.id, "owner");
  service.clock.nowMs += 2 * DAY_MS;
  expect((await sweepExpiredRows(service.deps)).forgotten_statistics).toBe(1);
  expect([await kept(), (await get(`/media/${file.id}/stats`)).json.data.columns[2].missing]).toEqual([1, 1]);
});

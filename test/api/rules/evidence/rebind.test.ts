import { expect, test } from "vitest";
import { connectAuthor, type Json, makeCreation, publish } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { look } from "../../../support/work-acts.ts";
import { BY_STATION, MEANS, publishFile, publishStory, republish } from "../bound-charts/texts.ts";
import { ask, figureOf, HEIGHTS, publishFigures } from "../checked-figures/texts.ts";
import { faultsOf, HIGHER, mean, payloadOf, rebind, top, UPDATE } from "./rebinding.ts";

const service = await openService();
const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
const publishHeights = () => publishFile(service, agent, { content: HEIGHTS });

test("figures that hold move and stay as written", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset), top(asset)]);
  const newer = await republish(service, agent, dataset, `${HEIGHTS}Wismar,2026-11-20,\n`);
  const { status, json } = await rebind(reader, story, "newest");
  expect(status).toBe(200);
  const moved = { kind: "figure", from_revision: 1, to_revision: 2 };
  expect(json.rebound).toEqual([
    { ...moved, n: 1, old: "3.66 m", new: "3.66 m", line: 1 },
    { ...moved, n: 2, old: "4.40", new: "4.40", line: 3 },
  ]);
  const { body_markdown, figures } = await payloadOf(reader, story);
  expect(body_markdown).toBe("It was 3.66 m there.\n\nIt was 4.40 there.");
  const from = { asset_id: newer.id, content_sha256: newer.content_sha256 };
  expect(figures).toMatchObject([
    { text: "3.66 m", from },
    { text: "4.40", from },
  ]);
  expect(json.evidence).toMatchObject({ holds: 2 });
});

test("a figure that differs is refused unless it is updated, everywhere and as it was written", async () => {
  const { asset, dataset } = await publishHeights();
  const body = [
    "# At 3.66 m",
    "**3.66 m** and _3.66 m_, [3.66 m](/a/3.66), `3.66 m`, 13.66 m and 3.66 mm[^1]",
    "- one\n- at 3.66\n  m",
    "| Height | `3.66 m` |\n| --- | --- |\n| 3.66 m | 3.66 m |",
    "3.66 m. again",
    "[^1]: Or 3.66 m.",
  ].join("\n\n");
  const story = await publishFigures(reader, [mean(asset)], body);
  await republish(service, agent, dataset, HIGHER);
  for (const way of ["newest", { works: [dataset.id] }, { works: "newest", figures: "keep" }])
    expect(faultsOf(await rebind(reader, story, way))).toEqual([
      'Figure 1, "3.66 m": the newest data say 3.99 m.',
    ]);
  expect((await rebind(reader, story, "newest")).json.hint).toContain('"figures": "update"');
  const dry = await reader.send(
    "POST",
    `/creations/${story.id}/check`,
    { changes: { rebind: UPDATE }, change_summary: "Newer.", publish: {} },
    { key: null },
  );
  const moved = { kind: "figure", n: 1, from_revision: 1, to_revision: 2, old: "3.66 m", new: "3.99 m" };
  expect(dry.json).toMatchObject({
    data: { saves: true, publishes: true },
    rebound: [{ ...moved, line: 1 }],
  });
  expect((await payloadOf(reader, story)).body_markdown).toBe(body);
  const { json } = await rebind(reader, story, UPDATE, { correction: true });
  expect(json.rebound).toEqual([{ ...moved, line: 1 }]);
  expect(json.data.latest_revision).toMatchObject({ state: "published", correction: true });
  const { body_markdown, figures } = await payloadOf(reader, story);
  expect(body_markdown).toBe(
    [
      "# At 3.99 m",
      "**3.99 m** and _3.99 m_, [3.99 m](/a/3.66), `3.66 m`, 13.66 m and 3.66 mm[^1]",
      "- one\n- at 3.99 m",
      "| Height | `3.66 m` |\n| --- | --- |\n| 3.99 m | 3.99 m |",
      "3.99 m. again",
      "[^1]: Or 3.99 m.",
    ].join("\n\n"),
  );
  expect(figures[0].text).toBe("3.99 m");
});

test("a number that the text writes otherwise is refused with its line, and replace mends it in the same call", async () => {
  const { asset, dataset } = await publishHeights();
  const body = "3.66 m\n\n**3**.66 m and 3.66&#32;m\n\n3&#46;66 m";
  const story = await publishFigures(reader, [mean(asset)], body);
  await republish(service, agent, dataset, HIGHER);
  expect(faultsOf(await rebind(reader, story, UPDATE))).toEqual([
    'Figure 1, "3.66 m": marks, entities or code keep 3.99 m out of lines 3, 5. Change it there by replace.',
  ]);
  const replace = [
    { find: "**3**.66 m", with: "**3.99** m" },
    { find: "3.66&#32;m", with: "more" },
    { find: "3&#46;66 m", with: "3.99 m" },
  ];
  const { json } = await rebind(reader, story, UPDATE, { changes: { replace, rebind: UPDATE } });
  expect(json.rebound).toMatchObject([{ old: "3.66 m", new: "3.99 m", line: 1 }]);
  expect((await payloadOf(reader, story)).body_markdown).toBe("3.99 m\n\n**3.99** m and more\n\n3.99 m");
  const inCode = await publishFigures(reader, [mean(asset)], "See `3.66 m`.");
  expect(faultsOf(await rebind(reader, inCode, UPDATE))).toEqual([expect.stringContaining("out of line 1.")]);
});

test("numbers of lists, footnotes, dates and addresses stay, however often they are those of a figure", async () => {
  const { asset, dataset } = await publishHeights();
  const count = figureOf(asset, "7", {}, { aggregate: [{ op: "count" }] });
  const text = (n: string) =>
    `6. six\n7. of ${n} gauges[^7]\n\non 2026-11-7 &#7; [${n}](/7) and ${n} [^7]\n\n[^7]: Of ${n}.`;
  const story = await publishFigures(reader, [count], text("7"));
  await republish(service, agent, dataset, `${HEIGHTS}Wismar,2026-11-20,1\n`);
  expect((await rebind(reader, story, UPDATE)).status).toBe(200);
  expect((await payloadOf(reader, story)).body_markdown).toBe(text("8"));
});

test("figures of one text with two values are named together, and one text within another is told apart", async () => {
  const { asset, dataset } = await publishHeights();
  const first = figureOf(asset, "4.40", {}, ask("max"));
  const other = figureOf(
    asset,
    "4.40",
    {},
    ask("max", { filter: [{ column: "station", op: "eq", value: "Husum" }] }),
  );
  const long = figureOf(asset, "4.40 m", { unit: "m" }, ask("max"));
  const story = await publishFigures(reader, [first, other, long], "4.40 of 4.40 m");
  await republish(service, agent, dataset, HEIGHTS.replace("2.75", "9.5"));
  expect(faultsOf(await rebind(reader, story, UPDATE))).toEqual([
    'Figures 1 and 2 have one text, "4.40", and the newest data say 9.5 and 4.40.',
  ]);
  const alone = await publishFigures(reader, [first, long], "4.40 of 4.40 m");
  await rebind(reader, alone, UPDATE);
  expect((await payloadOf(reader, alone)).body_markdown).toBe("9.5 of 9.5 m");
});

test("a chart moves although its rows changed, and no other byte of its block does", async () => {
  const { asset, dataset } = await publishHeights();
  const text = (id: string, hash: string) =>
    `> - Heights:\n>   ~~~ chart\n>   {"mark" : "bar","data":{ "from": {"content_sha256" :"${hash}",\n>   "asset_id":"${id}", ` +
    `${JSON.stringify(MEANS).slice(1)} },\n>   "encoding": ${JSON.stringify(BY_STATION)}}\n>   ~~~`;
  const story = await publishStory(reader, text(asset.id, asset.content_sha256));
  const newer = await republish(service, agent, dataset, HIGHER);
  const { json } = await rebind(reader, story, "newest");
  const moved = { kind: "chart", n: 1, from_revision: 1, to_revision: 2, old: null, new: null, line: 2 };
  expect(json.rebound).toEqual([moved]);
  expect(json.charts).toEqual([{ number: 1, rows: 3, state: "holds" }]);
  expect((await payloadOf(reader, story)).body_markdown).toBe(text(newer.id, newer.content_sha256));
});

const refer = (work: Json, more: object = {}) => ({ creation_id: work.id, relation: "uses", ...more });

test("a reference that names a revision moves, any other stays", async () => {
  const [one, two] = [await publishHeights(), await publishHeights()];
  const references = [refer(one.dataset), refer(two.dataset, { revision_number: 1 })];
  const payload = { title: "Pinned", body_markdown: "It rose.", references };
  const story = await publish(
    reader,
    await makeCreation(reader, { type: "brief", payload: { ...payload, title: undefined } }),
  );
  for (const { dataset } of [one, two]) await republish(service, agent, dataset, HIGHER);
  expect(faultsOf(await rebind(reader, story, [one.dataset.id]))).toEqual([
    `The text uses nothing of an open work ${one.dataset.id}.`,
    `Its figures, charts and references that name a revision are from ${two.dataset.id}.`,
  ]);
  const { json } = await rebind(reader, story, [two.dataset.id.toLowerCase()]);
  const moved = { from_revision: 1, to_revision: 2, old: null, new: null, line: null };
  expect(json.rebound).toEqual([{ kind: "pin", n: 2, ...moved }]);
  expect((await payloadOf(reader, story)).references).toMatchObject([{}, { revision_number: 2 }]);
});

test("works that are not named stay where they are", async () => {
  const [one, two] = [await publishHeights(), await publishHeights()];
  const story = await publishFigures(reader, [mean(one.asset), top(two.asset)]);
  for (const { dataset } of [one, two])
    await republish(service, agent, dataset, HIGHER.replace("4.40", "4.4"));
  const { json } = await rebind(reader, story, { works: [two.dataset.id], figures: "update" });
  expect(json.rebound).toMatchObject([{ n: 2, old: "4.40", new: "4.75" }]);
  const { figures } = await payloadOf(reader, story);
  expect(figures[0].from.asset_id).toBe(one.asset.id);
});

test("where nothing is newer and nothing else changes, nothing is saved or published", async () => {
  const { asset, dataset } = await publishHeights();
  const story = await publishFigures(reader, [mean(asset)]);
  const before = await look(reader, story);
  const { status, json } = await rebind(reader, story, UPDATE);
  expect([status, json.rebound, json.warnings.map(({ code }: Json) => code)]).toEqual([
    200,
    [],
    ["nothing_changed"],
  ]);
  expect(await look(reader, story)).toEqual(before);
  const check = { changes: { rebind: "newest" }, publish: {} };
  const dry = await reader.send("POST", `/creations/${story.id}/check`, check, { key: null });
  expect(dry.json).toMatchObject({
    rebound: [],
    data: { saves: true, publishes: true, warnings: [{ code: "nothing_changed" }] },
  });
  const other = await rebind(reader, story, "newest", {
    changes: { set: { summary: "Mean." }, rebind: "newest" },
  });
  expect([other.json.rebound, other.json.data.latest_revision.revision_number]).toEqual([[], 2]);
  await republish(service, agent, dataset, HIGHER);
  const key = {
    key: "5f2ff1f4-3c1c-4e8f-9d4d-9c4f1f4e7a01",
    ifMatch: (await look(reader, story)).lock_version,
  };
  const body = { changes: { rebind: UPDATE }, change_summary: "Newer.", publish: {} };
  const [first, again] = [
    await reader.send("PATCH", `/creations/${story.id}`, body, key),
    await reader.send("PATCH", `/creations/${story.id}`, body, key),
  ];
  expect(first.json.rebound).toMatchObject([{ new: "3.99 m" }]);
  expect(again.json.rebound).toEqual(first.json.rebound);
});

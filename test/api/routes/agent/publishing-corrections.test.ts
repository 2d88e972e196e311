import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { ownerActor } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { readMigrations } from "../../../../sql/connection/migration-files.ts";
import { connectAuthor, type Json, publishNew, type Reply, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, look, revise, write } from "../../../support/work-acts.ts";

// A correction's notice stands as long as its revision is the live one or an ancestor of it, and no longer.

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide" });
let count = 0;

/** A published work whose every revision says another height. */
async function begin(): Promise<Json> {
  count += 1;
  return await publishNew(agent, { slug: `work-${count}`, payload: heightOf("14.4 m") });
}

const heightOf = (height: string) => ({ title: "Surge", body_markdown: `The gauge read ${height}.` });

async function save(work: Json, summary: string, more: object = {}): Promise<Json> {
  const payload = heightOf(`${summary.length} m`);
  return await revise(agent, work, { payload, change_summary: summary, publish: {}, ...more });
}

/** Restores a revision; the work, and its warnings. */
async function restore(work: Json, body: object): Promise<{ work: Json; warnings: Json[] }> {
  const reply = await write(agent, "POST", work, "/restore", body);
  expect(reply.status).toBe(200);
  return { work: reply.json.data, warnings: reply.json.warnings };
}

async function open(work: Json): Promise<Reply> {
  return await request(service, { method: "GET", url: `/@tide/${work.slug}` });
}

/** The notice above the text of a work, and the corrections of its JSON-LD. */
async function notice(work: Json): Promise<{ shown: string | null; said: string[] }> {
  const { text } = await open(work);
  const [, shown = null] = /<b>Corrected on .*?<\/b> <span[^>]*>(.*?)<\/span>/.exec(text) ?? [];
  const [, data = ""] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(text) ?? [];
  return { shown, said: (JSON.parse(data).correction ?? []).map((one: Json) => one.text) };
}

const undone = (message: string) => [{ code: "correction_undone", field: "revision_id", message }];

test("a correction's notice stands above later revisions, and ends where what it corrected is restored", async () => {
  let work = await begin();
  work = await save(work, "Ten metres too much.", { correction: true });
  const corrected = { shown: "Ten metres too much.", said: ["Ten metres too much."] };
  expect(await notice(work)).toEqual(corrected);
  work = await save(work, "A new gauge.");
  expect(await notice(work)).toEqual(corrected);
  const { etag } = (await open(work)).headers;

  const back = await restore(work, { revision_id: 1 });
  expect(back.warnings).toEqual(undone("Revision 1 is the one that revision 2 corrected."));
  expect(await notice(work)).toEqual({ shown: null, said: [] });
  expect((await open(work)).headers.etag).not.toBe(etag);
  // The list of changes goes on saying what happened.
  const { changes } = (await request(service, { method: "GET", url: `/@tide/${work.slug}.json` })).json.data;
  expect(changes.map((one: Json) => one.correction)).toEqual([false, false, true, false]);

  const again = await restore(back.work, { revision_id: 3 });
  expect(again.warnings).toEqual([]);
  expect(await notice(work)).toEqual(corrected);
  const lost = await save(again.work, "Once more.", { correction: true });
  expect(await notice(work)).toEqual({
    shown: "Once more.",
    said: ["Once more.", "Ten metres too much."],
  });
  const { warnings } = await restore(lost, { revision_id: 1 });
  expect(warnings).toEqual(undone("Revision 1 is without the correction of revision 6."));
});

test("a draft between does not matter, nor one that says it corrects and never goes live", async () => {
  let work = await begin();
  work = await save(work, "Never seen.", { correction: true, publish: undefined });
  work = await save(work, "Seen.");
  expect(await notice(work)).toEqual({ shown: null, said: [] });
  work = await save(work, "A draft.", { publish: undefined });
  work = await save(work, "Too high.", { correction: true });
  work = await save(work, "A draft again.", { publish: undefined });
  const { warnings, work: back } = await restore(work, { revision_id: 3 });
  expect(warnings).toEqual(undone("Revision 3 is the one that revision 5 corrected."));
  expect((await restore(back, { revision_id: 5 })).warnings).toEqual([]);
  expect((await notice(work)).shown).toBe("Too high.");
});

test("the content of a correction that is removed takes its notice away, and the one before shows again", async () => {
  let work = await begin();
  work = await save(work, "First.", { correction: true });
  work = await save(work, "Second.", { correction: true });
  work = await save(work, "No error.");
  const [{ id }] = await runSql(
    service,
    "SELECT id FROM creation_revisions WHERE creation_id = $1 AND revision_number = 3",
    [work.id],
  );
  const { etag } = (await open(work)).headers;
  await removeContent(service.deps, ownerActor(agent.ownerId, null), id, "owner", "A test.");
  expect((await open(work)).headers.etag).not.toBe(etag);
  expect(await notice(work)).toEqual({ shown: "First.", said: ["First."] });
});

test("a restore can be a correction itself, which needs a summary and takes the place of the other", async () => {
  let work = await begin();
  work = await save(work, "Ten metres too much.", { correction: true });
  for (const change_summary of [undefined, null, " "]) {
    const body = { revision_id: 1, correction: true, change_summary };
    const refused = await write(agent, "POST", work, "/restore", body);
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { change_summary: ["The change_summary is required with correction: say which error is mended."] },
    ]);
    const check = await agent.send("POST", `/creations/${work.id}/check`, { action: "restore", ...body });
    expect(check.json.data.problems.map((one: Json) => [one.code, one.field])).toEqual([
      ["validation_failed", "change_summary"],
    ]);
  }
  const wrong = await write(agent, "POST", work, "/restore", { revision_id: 1, correction: "yes" });
  expect([wrong.status, wrong.json.errors]).toEqual([
    422,
    { correction: ["The correction must be true or false."] },
  ]);
  const reader = await connectAuthor(service);
  await reader.send("PUT", `/watches/creations/${work.id}`, undefined);
  const body = { revision_id: 1, correction: true, change_summary: "14.4 m was right." };
  const { warnings, work: back } = await restore(work, body);
  expect([warnings, back.latest_revision.correction]).toEqual([[], true]);
  expect(await notice(work)).toEqual({ shown: "14.4 m was right.", said: ["14.4 m was right."] });
  await sequenceEvents(service.deps);
  const told = (await reader.get("/events?types=creation.updated,creation.corrected")).json.data;
  expect(told.map(({ type, data }: Json) => [type, data.revision_number, data.correction])).toEqual([
    ["creation.updated", 3, true],
    ["creation.corrected", 3, undefined],
  ]);
  const kept = await restore(back, { revision_id: 3 });
  expect([kept.warnings, kept.work.latest_revision.correction]).toEqual([[], false]);
  expect((await notice(work)).shown).toBe("14.4 m was right.");
});

test("a check of a restore warns of what the restore would, also of an unpublished work", async () => {
  let work = await save(await begin(), "Too high.", { correction: true });
  work = (await write(agent, "POST", work, "/unpublish", {})).json.data;
  const check = async (more: object) => {
    const asked = { action: "restore", revision_id: 1, ...more };
    const { json } = await agent.send("POST", `/creations/${work.id}/check`, asked);
    return [json.data.saves, json.data.warnings];
  };
  const expected = undone("Revision 1 is the one that revision 2 corrected.");
  expect(await check({})).toEqual([true, expected]);
  expect(await check({ revision_id: 2 })).toEqual([true, []]);
  expect(await check({ correction: true, change_summary: "It was right." })).toEqual([true, []]);
  expect((await restore(work, { revision_id: 1 })).warnings).toEqual(expected);
});

test("each retraction and reinstatement has an id, a time and a category of its own, at one moment too", async () => {
  const work = await begin();
  for (const action of ["retract", "reinstate", "retract", "reinstate"])
    await act(agent, work, action, { reason: "A test." });
  const { text } = await request(service, { method: "GET", url: `/@tide/${work.slug}/changes.xml` });
  const entries: Json[] = (parseAtomFeed(text) as Json).entries.slice(0, 4);
  expect(entries.map(({ title, categories }) => [title.value, categories])).toEqual([
    ["Reinstated", [{ term: "reinstated" }]],
    ["Retracted", [{ term: "retracted" }]],
    ["Reinstated", [{ term: "reinstated" }]],
    ["Retracted", [{ term: "retracted" }]],
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(4);
  expect(new Set(entries.map(({ updated }) => updated)).size).toBe(4);
});

test("what was restored before parents were kept has its parent from the record of that act", async () => {
  let work = await begin();
  work = await save(work, "Too high.", { correction: true });
  await restore(work, { revision_id: 1 });
  await runSql(service, "UPDATE creation_revisions SET restored_number = NULL");
  const { text } = (await readMigrations()).find(({ name }) => name.startsWith("0134")) ?? { text: "" };
  await runSql(service, text.slice(text.indexOf("UPDATE creation_revisions")));
  const rows = await runSql(
    service,
    "SELECT restored_number FROM creation_revisions WHERE creation_id = $1 ORDER BY revision_number",
    [work.id],
  );
  expect(rows.map(({ restored_number }) => restored_number)).toEqual([null, null, 1]);
  expect((await look(agent, work)).latest_revision.correction).toBe(false);
});

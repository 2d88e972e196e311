import { applyPatch } from "fast-json-patch";
import { expect, test } from "vitest";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { connectAuthor, type Json, publishNew, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const ids: Record<string, string> = {};
const get = (url: string) => request(service, { method: "GET", url });

async function upload(name: string, content: string): Promise<void> {
  ids[name] = (await agent.upload(name, content)).json.data.id;
}

/** Publishes a work, and what it is after an update. */
async function publishTwice(body: Json, payload: object): Promise<Json> {
  const first = await publishNew(agent, body);
  const update = { payload, change_summary: "Changed." };
  return await revise(agent, first, update);
}

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });

test("files are paired, each with its rows, and the payload's patch leads from one to the other", async () => {
  await upload("hourly.csv", "station,height_m\nHusum,4.40\n");
  await upload("hourly-2.csv", "station,height_m\nHusum,4.40\nBremen,4.12\n");
  await upload("daily.csv", "day,height_m\n2026-11-20,4.40\n");
  await upload("notes.json", '{"text": "no table"}');
  const attach = (name: string, label: string) => ({ asset_id: ids[name], label });
  const title = "Readings";
  const before = { title, attachments: [attach("hourly.csv", "Hourly"), attach("daily.csv", "Daily")] };
  const after = {
    title,
    attachments: [
      attach("hourly-2.csv", "Hourly"),
      attach("daily.csv", "By day"),
      attach("notes.json", "Notes"),
    ],
  };
  const work = await publishTwice({ type: "dataset", slug: "readings", payload: before }, after);
  await untilJobsAreDone(service);
  const { data } = (await get("/@tidewatch/readings/revisions/1..2.json")).json;
  expect(data.body).toBeNull();
  expect(
    data.files.map(({ label, change, from, to }: Json) => [label, change, from?.row_count, to?.row_count]),
  ).toEqual([
    ["Hourly", "changed", 1, 2],
    ["By day", "renamed", 1, 1],
    ["Notes", "added", undefined, null],
  ]);
  const [hourly] = data.files;
  const diffUrl = `http://localhost:3000/media/${ids["hourly-2.csv"]}/diff?base=${ids["hourly.csv"]}`;
  expect([hourly.from.asset_id, hourly.rows.added, hourly.diff_url]).toEqual([ids["hourly.csv"], 1, diffUrl]);
  expect(data.files.map(({ diff_url }: Json) => diff_url !== null)).toEqual([true, false, false]);
  const byHand = (await get(diffUrl.replace("http://localhost:3000", ""))).json.data;
  expect(byHand.summary).toMatchObject({ added: 1, same: 1 });
  const payloadOf = async (number: number) =>
    (await agent.get(`/creations/${work.id}/revisions/${number}`)).json.data.payload;
  expect(applyPatch(await payloadOf(1), data.payload_patch).newDocument).toEqual(await payloadOf(2));
  const page = (await get("/@tidewatch/readings/revisions/1..2")).text;
  expect(page).toContain("Changed: 1 row, 28 bytes, then 2 rows, 40 bytes");
  expect(page).toContain("Renamed, with the same content: 1 row, 29 bytes");
  expect(page).toContain("1 of 1 rows that came, went or changed</caption>");
  expect(page).toMatch(/<th scope="row">\+ Added<\/th><td class="fg">3<\/td><td><ins><bdi>/);
});

test("a file stays in the diff after its bytes were deleted", async () => {
  service.clock.nowMs += 1_000 * DAY_MS;
  await sweepAgedFiles(service.deps);
  const [, first] = (await get("/@tidewatch/readings/revisions.json")).json.data;
  expect(first.files_deleted_at).not.toBeNull();
  const { status, json } = await get("/@tidewatch/readings/revisions/1..2.json");
  const [hourly] = json.data.files;
  expect([status, hourly.from.asset_id, hourly.diff_url]).toEqual([200, ids["hourly.csv"], null]);
  expect(hourly.rows.added).toBe(1);
  expect((await get("/@tidewatch/readings/revisions/1..2")).text).toContain("Hourly");
});

test("a collection whose entries come in another order says so, and names those that came in", async () => {
  const works = await Promise.all(
    ["One", "Two", "Three"].map(async (title) =>
      publishNew(agent, { payload: { title, body_markdown: "x" } }),
    ),
  );
  const [one, two, three] = works.map(({ id }: Json) => id);
  const collection = (slug: string, entries: string[]) => ({
    type: "collection",
    slug,
    payload: { title: "Storms", entries },
  });
  await publishTwice(collection("turned", [one, two]), { title: "Storms", entries: [two, one] });
  expect((await get("/@tidewatch/turned/revisions/1..2")).text).toContain(
    "<dt>In this collection</dt><dd>changed",
  );
  await publishTwice(collection("grown", [one]), { title: "Storms", entries: [three, one] });
  const page = (await get("/@tidewatch/grown/revisions/1..2")).text;
  expect(page).toContain("<ins>Three</ins>");
  expect(page).not.toContain("<ins>One</ins>");
});

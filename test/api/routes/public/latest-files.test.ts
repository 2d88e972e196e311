import { expect, test } from "vitest";
import { connectAuthor, type Json, publish, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { act } from "../../../support/work-acts.ts";

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });
const upload = async (name: string, content: string) => (await uploadReady(service, agent, name, content)).id;
const [csv, list] = [await upload("a.csv", "a,b\n1,2\n"), await upload("b.json", '[{"a":1}]')];

const payloadOf = (first: string): Json => ({
  title: "Readings",
  attachments: [first, list].map((asset_id, at) => ({ asset_id, label: `File ${at + 1}` })),
});
const work: Json = await publishNew(agent, { type: "dataset", payload: payloadOf(csv) });
const page = `/@tidewatch/${work.slug}`;
const read = (url: string, method: "GET" | "OPTIONS" = "GET") => request(service, { method, url });

test("a data file of a work has an address that leads to the bytes of the live revision", async () => {
  const site = "http://localhost:3000";
  const { files } = (await read(`${page}.json`)).json.data;
  expect(files.map(({ latest_url }: Json) => latest_url)).toEqual([
    `${site}${page}/files/1.csv`,
    `${site}${page}/files/2.json`,
  ]);
  const first = await read(`${page}/files/1.csv`);
  expect([first.status, first.headers.location]).toEqual([307, `${site}/media/${csv}/a.csv`]);
  expect(first.headers).toMatchObject({ "cache-control": "no-cache", "access-control-allow-origin": "*" });
  expect(first.headers["x-robots-tag"]).toBeUndefined();
  expect((await read(`${page}/files/2.json`)).headers.location).toBe(`${site}/media/${list}/b.json`);
  expect((await read(`${page}/files/1.parquet`)).headers.location).toBe(
    `${site}/media/${csv}/rows/all.parquet`,
  );
  expect((await read(`${page}/files/1.csv`, "OPTIONS")).status).toBe(204);
  expect((await read(page)).text).toContain(`${site}${page}/files/1.csv`);
  const newer = await upload("c.csv", "a,b\n3,4\n");
  const change = { change_summary: "More", payload: payloadOf(newer) };
  const saved = await agent.send("PATCH", `/creations/${work.id}`, change, { ifMatch: work.lock_version });
  expect((await read(`${page}/files/1.csv`)).headers.location).toBe(`${site}/media/${csv}/a.csv`);
  await publish(agent, saved.json.data);
  expect((await read(`${page}/files/1.csv`)).headers.location).toBe(`${site}/media/${newer}/c.csv`);
  const past = (await read(`${page}/revisions/1.json`)).json.data;
  expect(past.files.map(({ latest_url }: Json) => latest_url)).toEqual([null, null]);
});

test("another ending, place or work is not found; an unlisted one is for no search engine", async () => {
  for (const name of ["1.json", "2.csv", "3.csv", "0.csv", "01.csv", "x.csv", "1.txt"])
    expect((await read(`${page}/files/${name}`)).status, name).toBe(404);
  expect((await read("/@tidewatch/nothing/files/1.csv")).status).toBe(404);
  await act(agent, work, "visibility", { visibility: "unlisted" });
  expect((await read(`${page}/files/1.csv`)).headers["x-robots-tag"]).toBe("noindex");
});

import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, publishNew, request } from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });

/** A dataset in two published revisions, the first without content, and the file of the second. */
async function makeDataset(slug: string, visibility: string): Promise<string> {
  const payloadOf = async (content: string): Promise<object> => {
    const asset = await uploadReady(service, agent, "gauge.csv", content);
    return { title: slug, attachments: [{ asset_id: asset.id, label: "Gauge" }] };
  };
  const first = { type: "dataset", slug, payload: await payloadOf("a,b\n1,x\n") };
  const creation = await publishNew(agent, first, { visibility });
  const second: Json = await payloadOf("a,b\n2,x\n");
  const update = { type: "dataset", change_summary: "New row", payload: second, publish: { visibility } };
  const saved = await agent.send("PATCH", `/creations/${creation.id}`, update, {
    ifMatch: creation.lock_version,
  });
  expect(saved.status).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, creation.latest_revision.id, "owner");
  return second.attachments[0].asset_id;
}

test.each([
  ["unlisted", "noindex"],
  ["public", undefined],
])("a refusal about an %s work has the header X-Robots-Tag of its answers", async (visibility, tag) => {
  const slug = `gauge-${visibility}`;
  const asset = await makeDataset(slug, visibility);
  const refusals: [number, string][] = [
    [422, `/media/${asset}/rows?limit=x`],
    [422, `/media/${asset}/stats?x=1`],
    [422, `/media/${asset}/query?x=1`],
    [422, `/media/${asset}/query/all.csv?aggregate[0][op]=sum&aggregate[0][column]=b`],
    [422, `/media/${asset}/diff`],
    [422, `/media/${asset}/rows/all.parquet?limit=1`],
    [404, `/media/${asset}/other.csv`],
    [409, `/@tidewatch/${slug}/revisions/1/cite.bib`],
    [409, `/@tidewatch/${slug}/revisions/1/croissant.json`],
    [409, `/@tidewatch/${slug}/revisions/1/linkset.json`],
    [409, `/@tidewatch/${slug}/revisions/1..2.json`],
    [404, `/@tidewatch/${slug}/charts/1.svg`],
    [404, `/@tidewatch/${slug}/files/9.csv`],
  ];
  for (const [status, url] of refusals) {
    const reply = await request(service, { method: "GET", url });
    const { "x-robots-tag": robots, "access-control-allow-origin": origin } = reply.headers;
    expect([url, reply.status, robots, origin]).toEqual([url, status, tag, "*"]);
  }
  const page = await request(service, { method: "GET", url: `/@tidewatch/${slug}/charts/1` });
  expect([page.status, page.headers["x-robots-tag"]]).toEqual([404, tag]);
});

import { type Json, makeCreation, request, type TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

/** A file to attach: its label, its name and its content. */
export type Attached = readonly [label: string, filename: string, content: string];

/** Uploads files, as a service with workers or one without does it. */
export type Upload = (filename: string, content: string) => Promise<Json>;

/** Uploads to a service with workers. */
export const uploadTo =
  (agent: TestAgent): Upload =>
  async (filename, content) =>
    (await agent.upload(filename, content)).json.data;

async function describe(upload: Upload, files: readonly (Attached | Json)[], title: string) {
  const attachments = [];
  for (const file of files) {
    if (!Array.isArray(file)) attachments.push(file);
    else attachments.push({ label: file[0], asset_id: (await upload(file[1], file[2])).id });
  }
  return { title, attachments };
}

/** Publishes a dataset of files; an item that is no file is an attachment of before. */
export async function publishDataset(
  agent: TestAgent,
  slug: string,
  files: readonly Attached[],
  upload = uploadTo(agent),
): Promise<Json> {
  const payload = await describe(upload, files, "Gauge readings");
  return await makeCreation(agent, { type: "dataset", slug, payload, publish: {} });
}

/** Saves other files as an update, and publishes it unless told otherwise. */
export async function update(
  agent: TestAgent,
  work: Json,
  files: readonly (Attached | Json)[],
  more: { release?: object; title?: string } = {},
  upload = uploadTo(agent),
): Promise<Json> {
  const payload = await describe(upload, files, more.title ?? "Gauge readings");
  const release = more.release ?? { publish: {} };
  return await revise(agent, work, {
    payload,
    change_summary: "Newer readings",
    publish: undefined,
    ...release,
  });
}

/** The attachments of a work as they are now, to be sent again. */
export async function attachmentsOf(agent: TestAgent, { id }: Json): Promise<Json[]> {
  const { latest_revision } = (await agent.get(`/creations/${id}`)).json.data;
  const { payload } = (await agent.get(`/creations/${id}/revisions/${latest_revision.id}`)).json.data;
  return payload.attachments;
}

/** Reads public addresses of one service. */
export function readerOf(service: TestService, handle: string) {
  const get = async (path: string) =>
    await request(service, { method: "GET", url: path.replace("http://localhost:3000", "") });
  const at = (slug: string) => `/@${handle}/${slug}`;
  return {
    get,
    json: async (slug: string): Promise<Json> => (await get(`${at(slug)}.json`)).json?.data,
    page: async (slug: string) => (await get(at(slug))).text,
    feed: async (slug: string) => (await get(`${at(slug)}/changes.xml`)).text,
    diff: async (slug: string, range: string): Promise<Json> =>
      (await get(`${at(slug)}/revisions/${range}.json`)).json?.data,
    diffPage: async (slug: string, range: string) => (await get(`${at(slug)}/revisions/${range}`)).text,
    /** What the newest revisions changed, the newest first. */
    changes: async (slug: string): Promise<Json[]> =>
      (await get(`${at(slug)}.json`)).json.data.changes.map(({ data_changes }: Json) => data_changes),
  };
}

/** A table of readings, one a line. */
export const table = (...rows: string[]) => `day,height_m\n${rows.join("\n")}\n`;

import { randomUUID } from "node:crypto";
import type { Deps } from "../../shared/platform/deps.ts";
import type { Json } from "./agent.ts";
import { enrolAgent, formOf, type HttpRequest, send } from "./http-agent.ts";

/** What an agent may do in the days that a run puts into seconds, and an upload that answers when the file is ready. */
export const ROOMY = {
  UPLOAD_WAIT_MS: "60000",
  LIMIT_CREATIONS: "10000000",
  LIMIT_FILES: "10000000",
  LIMIT_STORAGE_BYTES: "1000000000000",
  LIMIT_PUBLICATIONS_PER_DAY: "10000000",
  LIMIT_UPDATES_PER_DAY: "10000000",
};

/** An agent with a front page, which publishes over HTTP. */
export interface Publisher {
  token: string;
  /** Sends a request that must go well, a write under a key; gives the `data` of its answer. */
  call(request: Omit<HttpRequest, "token" | "key">): Promise<Json>;
  /** Saves and publishes a work in one call; gives the work. */
  publish(type: string, payload: object): Promise<Json>;
  publishStory(title: string, body_markdown: string): Promise<Json>;
  /** Uploads a file and publishes it as a dataset; gives the file. */
  publishTable(filename: string, content: string | Uint8Array<ArrayBuffer>): Promise<Json>;
}

/** Enrols an agent over HTTP and publishes its front page. */
export async function openPublisher(deps: Deps, url: string, handle: string): Promise<Publisher> {
  const { token } = await enrolAgent(deps, url, handle);
  return await openFrontPage(url, token);
}

/** Publishes the front page of an agent that has enrolled. */
export async function openFrontPage(url: string, token: string): Promise<Publisher> {
  const call = (request: Omit<HttpRequest, "token" | "key">) =>
    ask(url, { ...request, token, ...(request.method !== undefined && { key: randomUUID() }) });
  const path = "/api/v1/agent/profile";
  const { lock_version } = await call({ path });
  const body = { display_name: "Tide Watch" };
  const saved = await call({ method: "PATCH", path, body, ifMatch: lock_version });
  const order = { revision_id: saved.draft.revision_id };
  await call({ method: "POST", path: `${path}/publish`, body: order, ifMatch: saved.lock_version });
  const publish = async (type: string, payload: object) =>
    await call({ method: "POST", path: "/api/v1/creations", body: { type, payload, publish: {} } });
  return {
    ...{ token, call, publish },
    publishStory: async (title, body_markdown) => await publish("story", { title, body_markdown }),
    publishTable: async (filename, content) => {
      const asset = await call({ method: "POST", path: "/api/v1/assets", body: formOf(filename, content) });
      await publish("dataset", { title: filename, attachments: [{ asset_id: asset.id, label: filename }] });
      return asset;
    },
  };
}

/** A request that must go well; gives the `data` of its answer. */
export async function ask(url: string, request: HttpRequest): Promise<Json> {
  const reply = await send(url, request);
  if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

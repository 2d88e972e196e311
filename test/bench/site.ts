import { randomUUID } from "node:crypto";
import { enrolAgent, formOf, type HttpRequest, send } from "../support/http-agent.ts";
import type { RealService } from "../support/real-service.ts";

/** What an agent may do in the days that a bench puts into seconds, and an upload that answers when the file is ready. */
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
  /** Sends a request that must go well; gives the `data` of its answer. */
  call(request: Omit<HttpRequest, "token" | "key">): ReturnType<typeof ask>;
  /** Saves and publishes a story in one call; gives the path of its page. */
  publishStory(title: string, body_markdown: string): Promise<string>;
  /** Uploads a file and publishes it as a dataset; gives the id of the file. */
  publishTable(filename: string, content: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Enrols an agent over HTTP and publishes its front page. */
export async function openPublisher(
  deps: RealService["deps"],
  url: string,
  handle: string,
): Promise<Publisher> {
  const { token } = await enrolAgent(deps, url, handle);
  const call = (request: Omit<HttpRequest, "token" | "key">) =>
    ask(url, { ...request, token, ...(request.method === "POST" && { key: randomUUID() }) });
  const profile = "/api/v1/agent/profile";
  const { lock_version } = await call({ path: profile });
  const body = { display_name: "Tide Watch" };
  const saved = await call({ method: "PATCH", path: profile, body, ifMatch: lock_version });
  const order = { revision_id: saved.draft.revision_id };
  await call({ method: "POST", path: `${profile}/publish`, body: order, ifMatch: saved.lock_version });
  const publish = (type: string, payload: object) =>
    call({ method: "POST", path: "/api/v1/creations", body: { type, payload, publish: {} } });
  return {
    ...{ token, call },
    publishStory: async (title, body_markdown) =>
      new URL((await publish("story", { title, body_markdown })).public_url).pathname,
    publishTable: async (filename, content) => {
      const asset = await call({ method: "POST", path: "/api/v1/assets", body: formOf(filename, content) });
      await publish("dataset", { title: filename, attachments: [{ asset_id: asset.id, label: filename }] });
      return asset.id;
    },
  };
}

/** A request that must go well; gives the `data` of its answer. */
export async function ask(url: string, request: HttpRequest) {
  const reply = await send(url, request);
  if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

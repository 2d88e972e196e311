import type { ErrorCode } from "../../../../shared/ground/errors.ts";
import type { Limits } from "../../../../shared/ground/limits.ts";
import type { Json, Reply, TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";

/** How one code is met by somebody who calls the service. */
export interface ErrorCase {
  code: ErrorCode;
  when: string;
  /** Where it is not the table's. */
  status?: number;
  /** The names under `errors`. */
  fields?: readonly string[];
  retryAfter?: boolean;
  run(service: TestService): Promise<Told>;
}

/** A code that is met with the status of the table, and about no field. */
export const met = (code: ErrorCode, when: string, run: ErrorCase["run"]): ErrorCase => ({ code, when, run });

/** What was told: by an answer of the interface, or elsewhere (`reply` null). */
export interface Told {
  code: string;
  status: number;
  reply: Reply | null;
}

/** So low that a few calls meet them. */
export const LOW_LIMITS: Partial<Limits> = {
  ...{ creations: 3, revisionsPerCreation: 2, publicationsPerDay: 2, updatesPerDay: 1, profileRevisions: 2 },
  ...{
    files: 2,
    storageBytes: 40_000,
    processingUploads: 1,
    jsonTableBytes: 20_000,
    tokensPerAgent: 2,
    agentsPerOwner: 1,
  },
  ...{ fileBytes: 30_000 },
};

/** An answer as it came. */
export function told(reply: Reply): Told {
  return { code: reply.json?.code, status: reply.status, reply };
}

/** A write on a creation under its own version. */
export async function act(agent: TestAgent, creation: Json, action: string, body?: object): Promise<Reply> {
  return await agent.send("POST", `/creations/${creation.id}/${action}`, body, {
    ifMatch: creation.lock_version,
  });
}

/** A new draft of a story, with a change_summary unless told otherwise. */
export async function update(agent: TestAgent, creation: Json, more: object = {}): Promise<Json> {
  const payload = { title: "November surge", body_markdown: "It fell." };
  const body = { payload, change_summary: "Fell.", ...more };
  const reply = await agent.send("PATCH", `/creations/${creation.id}`, body, {
    ifMatch: creation.lock_version,
  });
  if (reply.status !== 200) throw new Error(`saving answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

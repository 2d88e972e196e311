import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Reply, request, type TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";

/** A table, and rows to append to it. */
export const BASE = "station,height_m\nBremen,4.12\n";
export const PART = "station,height_m\nHusum,4.40\nCuxhaven,3.90\n";

type Part = [name: string, content: string | Buffer, filename?: string];

/** A form whose parts stand in this order; one with a filename is a file. */
export function makeForm(parts: readonly Part[]): { type: string; body: Buffer } {
  const boundary = `form-${randomUUID()}`;
  const body = parts.flatMap(([name, content, filename]) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Sends a form to POST /assets. */
export async function sendForm(
  service: TestService,
  agent: TestAgent,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = makeForm(parts);
  return await request(service, {
    method: "POST",
    url: "/api/v1/assets",
    headers: {
      authorization: `Bearer ${agent.token}`,
      "idempotency-key": randomUUID(),
      ...headers,
      "content-type": form.type,
    },
    payload: form.body,
  });
}

/** Appends a file to a base, as an agent does. */
export function openAppends(service: TestService, agent: TestAgent) {
  return (
    base: string,
    content: string | Buffer,
    { filename = "more.csv", headers = {} }: { filename?: string; headers?: Record<string, string> } = {},
  ) =>
    sendForm(
      service,
      agent,
      [
        ["base_asset_id", base],
        ["file", content, filename],
      ],
      headers,
    );
}

/** Expects the refusal of one field. */
export function expectFault(reply: Reply, field: string, sentence: string | RegExp): void {
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors)]).toEqual([
    422,
    "validation_failed",
    [field],
  ]);
  expect(reply.json.errors[field][0]).toMatch(sentence);
}

import { expect, test } from "vitest";
import { toToolWords } from "../../../api/mcp/tool-words.ts";
import { Failure } from "../../../api/openapi/schemas.ts";
import { ERROR_STATUS } from "../../../shared/ground/errors.ts";
import type { Reply } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { WORDS_OF_REQUESTS } from "../../support/words-of-requests.ts";
import { ACCOUNT_CASES } from "./error-codes/accounts.ts";
import { type ErrorCase, LOW_LIMITS } from "./error-codes/cases.ts";
import { CREATION_CASES } from "./error-codes/creations.ts";
import { FILE_CASES } from "./error-codes/files.ts";
import { REQUEST_CASES } from "./error-codes/requests.ts";

const CASES: ErrorCase[] = [...REQUEST_CASES, ...ACCOUNT_CASES, ...CREATION_CASES, ...FILE_CASES];
// A schedule's outcome and a command's refusal have no body of the interface (contract section 7 row 37).
const ELSEWHERE = new Set(["publishing_blocked", "agent_not_active"]);
const OTHERS_WORDS =
  /unexpected (token|end)|violates|constraint|relation "|syntax error|zod|expected (string|object)|ECONN|FST_|undefined|\[object/i;

const service = await openService({ workers: false, limits: LOW_LIMITS });

test("every code of the specification has a case, and no case is about another code", () => {
  const codes = [...Object.keys(ERROR_STATUS), "http_error"].sort();
  expect([...new Set(CASES.map((one) => one.code))].sort()).toEqual(codes);
});

test.each(CASES.map((one) => [one.code, one.when, one] as const))("%s: %s", async (code, _when, one) => {
  const { code: told, status, reply } = await one.run(service);
  expect([told, status]).toEqual([code, one.status ?? ERROR_STATUS[code as keyof typeof ERROR_STATUS]]);
  if (ELSEWHERE.has(code)) return;
  if (reply === null) throw new Error("this case has no answer of the interface");
  expectOurBody(reply, one);
});

function expectOurBody(reply: Reply, { code, fields = [], retryAfter = false }: ErrorCase): void {
  expect(Failure.safeParse(reply.json).error).toBeUndefined();
  const { message, errors, hint, docs_url, request_id, ...rest } = reply.json;
  expect(rest).toEqual({ code });
  expect(Object.keys(errors).sort()).toEqual([...fields].sort());
  const sentences = [message, ...Object.values(errors).flat()];
  for (const sentence of sentences) {
    expect(sentence).toMatch(/^[A-Z0-9].*[.)]$/);
    expect(sentence).not.toMatch(OTHERS_WORDS);
  }
  // No tool uses a wrong method.
  if (reply.status !== 405) expectWordsForTools([...sentences, hint ?? ""]);
  expect(hint === null || /^[A-Z].*\.$/.test(hint)).toBe(true);
  expect(docs_url).toBe(`http://localhost:3000/docs/errors#${code}`);
  expect(request_id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(reply.headers["x-request-id"]).toBe(request_id);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.headers["retry-after"] === undefined).toBe(!retryAfter);
  if (retryAfter) expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
}

/** What a caller of a tool reads of a refusal names no header, no method and no address. */
function expectWordsForTools(texts: readonly string[]): void {
  for (const text of texts) expect(toToolWords(text)).not.toMatch(WORDS_OF_REQUESTS);
}

test("no refusal of this table left an idempotent answer behind", async () => {
  const kept = await runSql(
    service,
    "SELECT DISTINCT status FROM idempotency_keys WHERE status IS NOT NULL ORDER BY 1",
  );
  expect(kept.map((row) => row.status)).toEqual([200, 201]);
});

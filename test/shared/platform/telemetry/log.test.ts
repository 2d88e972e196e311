import pg from "pg";
import { SchemaValidationError, UniqueIntegrityConstraintViolationError } from "slonik";
import { expect, test } from "vitest";
import { makeLinkSecret } from "../../../../shared/identity/credentials/tokens.ts";
import { withRequestContext } from "../../../../shared/platform/telemetry/request-context.ts";
import { captureLog } from "../../../support/log-lines.ts";

const TOKEN = "bst_0123456789abcdefghijABCDEFGHIJ0123456789abcdef";
const CODE = "bse_ABC123-DEF456-GHI789-JKL012";

test("a line has its time in ISO 8601 and its level by name", () => {
  const { log, lines } = captureLog();
  log.debug("a");
  log.child({ part: "b" }).fatal("b");
  expect(lines().map(({ level }) => level)).toEqual(["debug", "fatal"]);
  for (const { time } of lines()) expect(new Date(String(time)).toISOString()).toBe(time);
});

test("no line holds a secret, wherever it stood", () => {
  const { log, text } = captureLog();
  const link = makeLinkSecret();
  log.info(
    { token: "t0ps3cret", req: { headers: { authorization: "t0ps3cret", cookie: "t0ps3cret" } } },
    "x",
  );
  log.info({ body: { enrollment_code: "t0ps3cret", password: "t0ps3cret" }, csrf: "t0ps3cret" }, "x");
  log.error(
    { err: new Error(`refused ${TOKEN} and ${CODE}`) },
    `GET /sign-in/${link} /claim/${link} /preview/${link}/files/1`,
  );
  log.warn({ url: "postgres://broadsheet:t0ps3cret@db:5432/x", redis: "redis://:t0ps3cret@host" }, "x");
  expect(text()).not.toContain("t0ps3cret");
  for (const secret of [TOKEN, CODE, link]) expect(text()).not.toContain(secret);
  expect(text()).toContain("bst_[cut]");
});

test("no line holds a query, however it is written, nor the link to a new address", () => {
  const { log, lines, text } = captureLog();
  const query = "q=t0ps3cret&from=%5Bt0ps3cret";
  log.warn(`sent by "/search?${query}" (GET) route?`);
  log.warn({ url: `/search?${query}`, err: new Error(`/a?x="t0ps3cret\\"t0ps3cret`) }, "what is it?");
  log.warn(`/console/email/${makeLinkSecret()}`);
  expect(text()).not.toMatch(/t0ps3cret|[\w-]{30}/);
  expect(lines()[0]?.msg).toBe('sent by "/search?[cut] (GET) route?');
  expect(lines()[1]).toMatchObject({ url: "/search?[cut]", msg: "what is it?" });
  expect(lines()[2]?.msg).toBe("/console/email/[cut]");
});

test("an error comes with where it arose and why, without its statement, its values and its row", () => {
  const { log, lines, text } = captureLog();
  const cause = new pg.DatabaseError("duplicate key", 1, "error");
  Object.assign(cause, { code: "23505", detail: "Key (email)=(t0ps3cret) already exists.", table: "owners" });
  log.error({ err: new UniqueIntegrityConstraintViolationError(cause) }, "x");
  const query = { sql: "SELECT 't0ps3cret'", values: ["t0ps3cret"], type: "SLONIK_TOKEN_QUERY" } as never;
  log.error({ err: new SchemaValidationError(query, { title: "t0ps3cret" }, []) }, "x");
  log.error(new Error("alone"));
  expect(text()).not.toContain("t0ps3cret");
  expect(lines()[0]?.err).toMatchObject({
    type: "UniqueIntegrityConstraintViolationError",
    message: expect.stringContaining("unique"),
    stack: expect.stringContaining("log.test.ts"),
    cause: { type: "DatabaseError", message: "duplicate key", code: "23505", table: "owners" },
  });
  expect(lines().map(({ err }) => (err as { type: string }).type)).toEqual([
    "UniqueIntegrityConstraintViolationError",
    "SchemaValidationError",
    "Error",
  ]);
});

test("the line that is there to print a sign-in link prints it", () => {
  const { log, lines } = captureLog();
  const sign_in_link = "http://localhost:3000/sign-in/abcdefghijklmnopqrstuvwxyz";
  log.info({ sign_in_link }, `not in ${sign_in_link}`);
  expect(lines()[0]).toMatchObject({ sign_in_link, msg: "not in http://localhost:3000/sign-in/[cut]" });
});

test("ordinary members stay as they are, and long ones cost little", () => {
  const { log, lines } = captureLog();
  const members = {
    took_ms: 3,
    route: "/sign-in/:secret",
    sha: "a1".repeat(50_000),
    at: "http://x:80/a@b",
    why: "what? ".repeat(9_000),
    workers: ["draw", "feed"],
    problem: { reason: "none", at: null, parts: [{ is: true }] },
  };
  log.info(members, "is it so? yes");
  expect(lines()[0]).toMatchObject({ ...members, msg: "is it so? yes" });
});

test("a line written for a request names it, in the log of the process too", async () => {
  const { log, lines } = captureLog();
  await withRequestContext({ requestId: "01M7X6WBAZDT3JDAMJ1NB8D4T6" }, async () => {
    await Promise.resolve();
    log.info("inside");
    log.child({ request_id: "other" }).info("a request's own");
  });
  log.info("outside");
  expect(lines().map(({ request_id }) => request_id)).toEqual([
    "01M7X6WBAZDT3JDAMJ1NB8D4T6",
    "other",
    undefined,
  ]);
});

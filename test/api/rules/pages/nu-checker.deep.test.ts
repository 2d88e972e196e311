import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { findJava } from "../../../support/java.ts";
import { signInAgain } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { fillPages, listCases, watchRoutes } from "./page-cases.ts";

const java = findJava();
if (java === null) console.warn("LEFT OUT: there is no Java here to run the Nu checker with.");

const require = createRequire(import.meta.url);
const VNU = require.resolve("vnu-jar/build/dist/vnu.jar");

const routes = watchRoutes();
const service = await openService({ config: { signUp: "invite" } });
routes.stop();

describe.skipIf(java === null)("every page of the app", () => {
  const texts = new Map<string, string>();

  beforeAll(async () => {
    const filled = await fillPages(service);
    const cases = listCases(routes.pages, filled);
    const { ownerId } = filled.site.rainwatch;
    const [{ email }] = await runSql(service, "SELECT email FROM owners WHERE id = $1", [ownerId]);
    const owner = await signInAgain(service, { ownerId, email });
    for (const { path, signedIn } of cases) {
      const headers = { accept: "text/html", ...(signedIn ? { cookie: owner.cookie } : {}) };
      const reply = await request(service, { method: "GET", url: path, headers });
      texts.set(path, reply.text);
    }
    expect(texts.size).toBe(new Set(cases.map(({ path }) => path)).size);
  });

  test("has no error of HTML in the eyes of the Nu checker", { timeout: 300_000 }, async () => {
    expect(texts.size).toBeGreaterThan(45);
    expect([...texts].filter(([, text]) => !text.startsWith("<!doctype html>"))).toEqual([]);
    expect(await checkWithNu([...texts])).toEqual([]);
  });
});

/** One run of the checker over all pages: what it found, by path. */
async function checkWithNu(pages: readonly (readonly [path: string, text: string])[]): Promise<string[]> {
  const folder = await openFolder();
  const files = pages.map((_, at) => join(folder, `${at}.html`));
  await Promise.all(pages.map(([, text], at) => writeFile(files[at] ?? "", text)));
  const args = ["-jar", VNU, "--errors-only", "--format", "json", ...files];
  // It exits with 1 where it finds something, and writes what it finds to standard error.
  const report = await new Promise<string>((resolve) => {
    execFile(java ?? "java", args, { maxBuffer: 64 * 1024 * 1024 }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
  const { messages } = JSON.parse(report) as {
    messages: { url: string; message: string; extract?: string }[];
  };
  return messages.map(({ url, message, extract }) => {
    const [path] = pages[Number(/(\d+)\.html$/.exec(url)?.[1])] ?? ["?"];
    return `${path}: ${message} ${extract ?? ""}`;
  });
}

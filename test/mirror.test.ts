import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";

// Pure code and nouns have their tests in the same place under test/; a rule across nouns stands in test/api/rules.
const GROUPS = ["agent", "public", "console"];

/** The routes whose tests carry no file of their own name, with the tests that ask their addresses. */
const ELSEWHERE: Record<string, { test: string; asks: string }> = {
  "console/audit": { test: "test/api/rules/console-access.test.ts", asks: "/console/audit" },
  "console/blocks": { test: "test/api/rules/block-acts.test.ts", asks: "/console/moderation/blocks" },
  "console/dashboard": { test: "test/api/routes/console/agents.test.ts", asks: "/console" },
  "public/docs": { test: "test/api/docs/docs.test.ts", asks: "/docs" },
  "public/health": { test: "test/api/rules/raw-http.test.ts", asks: "/healthz" },
  "public/preview-pages": { test: "test/api/routes/agent/publishing-previews.test.ts", asks: "preview_url" },
};

/** Pure folders that hold nothing but parts of what their parent's tests draw. */
const PARTS = ["shared/text/artwork/patterns", "shared/text/theme/sheet"];

const list = (pattern: string) => globSync(pattern).toSorted();
const nameOf = (file: string) => basename(file).replace(/(?:\.deep)?\.test\.ts$|\.ts$/, "");

/** Whether a test is of this route: of its name, or of its name and a word for the part that it tests. */
const isOf = (test: string, route: string) => test === route || test.startsWith(`${route}-`);

test("every route has a test of its name, or stands in the list of those that are asked elsewhere", () => {
  for (const group of GROUPS) {
    const routes = list(`api/routes/${group}/*.ts`).map(nameOf);
    const tests = list(`test/api/routes/${group}/*.test.ts`).map(nameOf);
    expect(routes.length).toBeGreaterThan(5);
    const untested = routes.filter((route) => !tests.some((one) => isOf(one, route)));
    const listed = Object.keys(ELSEWHERE).filter((name) => name.startsWith(`${group}/`));
    expect(untested.map((route) => `${group}/${route}`)).toEqual(listed);
  }
});

test("what is asked elsewhere is asked there", () => {
  for (const [route, { test: file, asks }] of Object.entries(ELSEWHERE)) {
    expect([route, existsSync(file) && readFileSync(file, "utf8").includes(asks)]).toEqual([route, true]);
  }
});

test("every test of a route names its route; one that belongs to none is a rule", () => {
  const groups = [...new Set(list("test/api/routes/**/*.test.ts").map((file) => dirname(file)))];
  expect(groups).toEqual(GROUPS.toSorted().map((group) => `test/api/routes/${group}`));
  for (const group of GROUPS) {
    const routes = list(`api/routes/${group}/*.ts`).map(nameOf);
    const tests = list(`test/api/routes/${group}/*.test.ts`).map(nameOf);
    expect(tests.filter((one) => !routes.some((route) => isOf(one, route)))).toEqual([]);
  }
});

test("no test lies loose in test/api: it mirrors a folder there or is a rule", () => {
  const folders = new Set(list("test/api/**/*.test.ts").map((file) => file.split("/")[2] ?? ""));
  expect([...folders].filter((folder) => folder !== "rules" && !existsSync(`api/${folder}`))).toEqual([]);
});

test("pure code and its tests stand in the same folders", () => {
  const tested = new Set(
    list("test/shared/{tables,text}/**/*.test.ts").map((file) => dirname(file).slice("test/".length)),
  );
  const written = new Set(list("shared/{tables,text}/*/**/*.ts").map((file) => dirname(file)));
  expect([...tested].filter((folder) => !existsSync(folder))).toEqual([]);
  expect([...written].filter((folder) => !tested.has(folder))).toEqual(PARTS);
});

test("whatever npm test tries in part is a test file, so that npm run test:deep finds it", () => {
  const users = list("test/**/*.ts").filter((file) =>
    readFileSync(file, "utf8").includes("support/depth.ts"),
  );
  expect(users.length).toBeGreaterThan(20);
  expect(users.filter((file) => !file.endsWith(".test.ts"))).toEqual(["test/run.ts"]);
});

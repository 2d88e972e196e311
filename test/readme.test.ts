import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { RedeemRequest } from "../api/openapi/schemas.ts";
import { addressesOf } from "../shared/ground/addresses.ts";
import { loadConfig } from "../shared/platform/config.ts";
import { WORKERS } from "../shared/platform/jobs/catalogue.ts";
import { listRows } from "./support/markdown-rows.ts";
import { readRecipes } from "./support/recipes.ts";

const README = readFileSync("README.md", "utf8");
const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

function listVariables(text: string, start: (name: string) => boolean): Record<string, string> {
  const rows = listRows(text).filter(([name = ""]) => /^[A-Z][A-Z_]+$/.test(name) && start(name));
  return Object.fromEntries(rows.map(([name = "", value = ""]) => [name, value]));
}

const isLimit = (name: string) => name.startsWith("LIMIT_");
const SELF_HOSTING = readFileSync("api/docs/self-hosting.md", "utf8");

describe("the environment table of self-hosting.md", () => {
  const told = listVariables(SELF_HOSTING, (name) => !isLimit(name));

  test("has every variable that is read, and no other", () => {
    const [, schema = ""] = /const Environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(
      readFileSync("shared/platform/config.ts", "utf8"),
    ) ?? [""];
    const read = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
    expect(read.length).toBeGreaterThan(10);
    expect(Object.keys(told).toSorted()).toEqual(read.toSorted());
  });

  test("tells the defaults in force", () => {
    const config = loadConfig({ DATA_DIR: told.DATA_DIR });
    expect(told).toMatchObject({
      PORT: String(config.port),
      HOST: config.host,
      TRUST_PROXY: String(config.trustProxy),
      LOG_LEVEL: config.logLevel,
      LOG_REQUESTS: String(config.logRequests),
      PREPARED_STATEMENTS: config.preparedStatements ? "on" : "off",
      UPLOAD_WAIT_MS: String(config.uploadWaitMs),
      STOP_NOTICE_MS: String(config.stopNoticeMs),
    });
    expect(told.SITE_URL?.replace("$PORT", String(config.port))).toBe(config.siteUrl);
    expect(told.FILES_URL?.replace("$DATA_DIR", config.dataDir)).toBe(config.filesUrl);
    expect(loadConfig({}).dataDir).toBe(config.dataDir);
    const { DATABASE_URL, REDIS_URL, SMTP_URL, MAIL_FROM } = told;
    expect([DATABASE_URL, REDIS_URL, SMTP_URL, MAIL_FROM]).toEqual(["unset", "unset", "unset", "unset"]);
  });
});

test("limits.md has every limit with its variable, and no other", () => {
  const rows = listLimitRows(readFileSync("api/docs/limits.md", "utf8"));
  const inForce = Object.keys(loadConfig({}).limits).map((name) => [
    `{{limit.${name}}}`,
    `LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  ]);
  expect(rows.toSorted()).toEqual(inForce.toSorted());
});

/** The rows of limits that name a variable: the value's placeholder and the variable. */
function listLimitRows(text: string): string[][] {
  return [...text.matchAll(/^\|[^|]*\| (\S+) \| `(LIMIT_\w+)` \|$/gm)].map(([, value = "", name = ""]) => [
    value,
    name,
  ]);
}

describe("values of variables in the documentation and in the examples for operators", () => {
  const names = [
    ...Object.keys(listVariables(SELF_HOSTING, (name) => name !== "NODE_ENV")),
    "LIMIT_\\w+",
  ].join("|");
  const assigned = new RegExp(
    `\\b(${names})(?:=|: )(?:\\$\\{\\w+:-)?(?:"([^"]+)"|"?([^\\s\`"}\\\\]*[^\\s\`"}\\\\,]))`,
    "g",
  );
  const files = globSync([
    "README.md",
    "{api/docs,operators}/**",
    ".env.example",
    "Dockerfile",
    "docker-compose*.yml",
  ]);
  const given = files
    .filter((file) => !isFolder(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(assigned)])
    .map(([, name = "", quoted, value = ""]) => ({ name, value: quoted ?? value }))
    .filter(({ value }) => !/[$%…]/.test(value));

  test.each(given)("$name=$value is taken", ({ name, value }) => {
    const beside = { MAIL_FROM: "mail@example.org", PORT: "3000", DATABASE_URL: "postgres://db/x" };
    expect(() => loadConfig({ ...beside, [name]: value })).not.toThrow();
  });

  test("are found", () => {
    expect(new Set(given.map(({ name }) => name)).size).toBeGreaterThan(10);
  });
});

describe("names in README, CONTRIBUTING and the recipes", () => {
  const documents = [
    ...["README.md", "CONTRIBUTING.md", "test/README.md", "docs/decisions.md"],
    ...globSync("docs/recipes/*.md"),
  ];
  const texts = Object.fromEntries(documents.map((file) => [file, readFileSync(file, "utf8")]));
  const all = `${Object.values(texts).join("\n")}\n${SELF_HOSTING}`;

  test("npm scripts exist, and every one that people call is told", () => {
    const named = [
      ...all.matchAll(/\bnpm (?:run (?:--silent )?)?(start|(?<=run (?:--silent )?)[\w:]+|test)/g),
    ];
    const told = new Set(named.map(([, name = ""]) => name));
    expect([...told].filter((name) => !(name in scripts))).toEqual([]);
    const parts = ["types", "lint", "unused", "prepack", "postpack"];
    expect(Object.keys(scripts).filter((name) => !told.has(name))).toEqual(parts);
  });

  test("files exist", () => {
    const linked = Object.entries(texts).flatMap(([file, text]) =>
      [...text.matchAll(/\]\(((?!http|#|\{)[^)#]+)/g)].map(([, path = ""]) => join(dirname(file), path)),
    );
    const pattern = /`((?:api|cli|shared|sql|test|workers)\/[\w./-]+\.(?:ts|json|md))`/g;
    const named = [...all.matchAll(pattern)].map(([, path = ""]) => path);
    const made = readRecipes(".").map(({ path }) => path);
    const paths = [...linked, ...named].filter((path) => !made.includes(path));
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("workers are named as they are", () => {
    const [, names = ""] = /`npm run workers -- ([a-z ]+)`/.exec(README) ?? [];
    expect(names.split(" ")).toEqual(WORKERS);
  });
});

test("the commands for one's own agent are those of the interface", () => {
  const [, part = ""] = README.split("## Put your own agent on it");
  const [, body = ""] = /-d '(\{.*\})'/.exec(part) ?? [];
  const sent = JSON.parse(body.replace(`'"$CODE"'`, "bse_7K3QW9XH2MDA5TPC8VRE4NBY"));
  expect(RedeemRequest.safeParse(sent).error).toBeUndefined();
  const { api, skill, site } = addressesOf(loadConfig({}).siteUrl);
  expect(part).toContain(`SITE=${site} `);
  expect(part).toContain(`"${api.replace(site, "$SITE")}/agents"`);
  expect(part).toContain(`\`${skill}\``);
});

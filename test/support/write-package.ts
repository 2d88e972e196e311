import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";

// npm pack: Node runs no TypeScript below node_modules, so the package has dist/ with the types stripped by Node itself,
// each line where it was, and the versions of the lock file.
const ROOT = resolve(import.meta.dirname, "..", "..");
const DIST = join(ROOT, "dist");

for (const path of globSync("{api,cli,client,shared,sql,workers}/**/*", { cwd: ROOT })) {
  if (statSync(join(ROOT, path)).isDirectory() || path.endsWith(".d.ts")) continue;
  const to = join(DIST, path.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(to), { recursive: true });
  if (/\.m?[jt]s$/.test(path)) writeFileSync(to, toJavaScript(path));
  else cpSync(join(ROOT, path), to);
}
const about = readJson("package.json");
writeJson("dist/package.json", { type: about.type, version: about.version });
const lock = readJson("package-lock.json");
const { devDependencies: _, ...own } = lock.packages[""];
const kept = Object.entries<{ dev?: boolean }>(lock.packages).filter(
  ([path, { dev }]) => path !== "" && !dev,
);
writeJson("npm-shrinkwrap.json", { ...lock, packages: { "": own, ...Object.fromEntries(kept) } });

/** A text in quotes that ends in .ts is the path of a file of ours. */
function toJavaScript(path: string): string {
  const text = readFileSync(join(ROOT, path), "utf8");
  const stripped = path.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
  return stripped.replace(/\.ts(?=["`])/g, ".js");
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}

function writeJson(path: string, value: object): void {
  writeFileSync(join(ROOT, path), `${JSON.stringify(value, null, 2)}\n`);
}

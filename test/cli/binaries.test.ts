import { access, chmod, chown, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findPostgresAccount } from "../../cli/embedded/account.ts";
import { type PostgresBinaries, providePostgresBinaries } from "../../cli/embedded/binaries.ts";

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

describe.skipIf(!isRoot)("PostgreSQL's programs, as root", { timeout: 60_000 }, () => {
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

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// A registry that mirrors only one platform leaves the other platforms' optional packages out of the lock file, and
// `npm ci` then refuses it everywhere. `npm run lockfile` writes them in; test/lockfile.test.ts says when it is needed.
const FILE = join(import.meta.dirname, "..", "..", "package-lock.json");
const SYSTEMS: Record<string, string> = { windows: "win32" };
const OS = [
  "android",
  "darwin",
  "linux",
  "win32",
  "windows",
  "freebsd",
  "openbsd",
  "netbsd",
  "sunos",
  "openharmony",
];
const CPU = ["arm64", "x64", "arm", "ia32", "ppc64", "s390x", "riscv64", "loong64", "mips64el", "wasm32"];

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  resolved?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/** The lock file's entries by their place. */
export function readLockfile(): Record<string, Entry> {
  return JSON.parse(readFileSync(FILE, "utf8")).packages;
}

/** Optional packages that an entry names and the lock file lacks, with what an entry of theirs would say. */
export function findMissing(packages: Record<string, Entry>): Record<string, Entry> {
  const missing: Record<string, Entry> = {};
  for (const { dev, optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const known = Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`));
      if (!known) missing[`node_modules/${name}`] = describe(name, range, dev);
    }
  }
  return missing;
}

/** The name of such a package holds its platform. */
function describe(name: string, range: string, dev: boolean | undefined): Entry {
  const parts = name.split(/[-/]/);
  const cpu = CPU.filter((entry) => parts.includes(entry));
  const os = OS.filter((entry) => parts.includes(entry)).map((entry) => SYSTEMS[entry] ?? entry);
  return {
    version: range.replace(/^[\^~]/, ""),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(dev ? { dev } : {}),
    ...(name.includes("musl") ? { libc: ["musl"] } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

if (process.argv[1] === import.meta.filename) {
  const lock = JSON.parse(readFileSync(FILE, "utf8"));
  const { "": root, ...others } = { ...lock.packages, ...findMissing(lock.packages) };
  const places = Object.keys(others).sort();
  lock.packages = { "": root, ...Object.fromEntries(places.map((place) => [place, others[place]])) };
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { API_COMMAND, WORKERS_COMMAND } from "../cli/supervisor/service.ts";
import { VERSION } from "../shared/ground/version.ts";
import { loadConfig } from "../shared/platform/config.ts";
import { WORKERS } from "../shared/platform/jobs/catalogue.ts";
import { listRows } from "./support/markdown-rows.ts";

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  user?: string;
  volumes?: string[];
  restart?: string;
  logging?: { driver: string; options: Record<string, string> };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  build?: string;
  image?: string;
  pull_policy?: string;
  entrypoint?: string[];
  stop_grace_period?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
  deploy?: { replicas?: number; resources?: { limits?: { cpus?: string; memory?: string } } };
}

function readCompose(path: string): Record<string, Service> {
  return parseYaml(readFileSync(path, "utf8"), { merge: true }).services;
}

/** The commands of an API process and of one with all workers, as `npm start` runs them. */
const API = commandOf(API_COMMAND);
const ALL_WORKERS = commandOf(WORKERS_COMMAND);

function commandOf(args: readonly string[]): string {
  return `node ${args.join(" ").replace(`${process.cwd()}/`, "")}`;
}

const SCALE = "docker-compose.scale.yml";
const RUNS_ONCE: Record<string, string> = { "docker-compose.yml": "first", [SCALE]: "migrate" };

// A YAML reader may have come with some development dependency; nothing here asks for one.
describe.each(Object.keys(RUNS_ONCE))("%s", (file) => {
  const services = readCompose(file);
  const isOurs = ({ image = "" }: Service) => image.includes("localhost/broadsheet:");

  test("keeps no more of a container's log than a disk can hold", () => {
    for (const [name, { logging }] of Object.entries(services)) {
      const wanted = { driver: "local", options: { "max-size": "20m", "max-file": "5" } };
      expect([name, logging]).toEqual([name, wanted]);
    }
  });

  test("bounds, restarts and watches every process, and opens a port on the loopback address only", () => {
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.restart]).toEqual([name, name === RUNS_ONCE[file] ? "no" : "unless-stopped"]);
      expect([name, service.healthcheck]).toEqual([name, expect.any(Object)]);
    }
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-3000\}:(?:8080|3000)$/)]);
  });

  test("runs every container without privileges on a file system that is read-only", () => {
    for (const [name, service] of Object.entries(services)) {
      const { read_only, cap_drop, security_opt, user } = service;
      const told = { name, read_only, cap_drop, security_opt };
      const wanted = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };
      expect(told).toEqual({ name, ...wanted });
      // Our own image names its user.
      expect([name, isOurs(service) || (user !== undefined && user !== "root")]).toEqual([name, true]);
      if (name !== "proxy")
        expect([name, service.tmpfs?.some((path) => /^\/tmp\b/.test(path))]).toEqual([name, true]);
    }
  });

  test("builds one image in one place, under a name that no registry has, and names every other by its digest", () => {
    const [own, foreign] = [true, false].map((which) =>
      Object.entries(services).filter(([, service]) => isOurs(service) === which),
    );
    expect(own?.flatMap(([name, { build }]) => (build ? [name] : []))).toEqual([RUNS_ONCE[file]]);
    for (const [name, { image, pull_policy }] of own ?? []) {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose puts the value in.
      const wanted = "${BROADSHEET_IMAGE:-localhost/broadsheet:VERSION}".replace("VERSION", VERSION);
      expect([name, image, pull_policy]).toEqual([name, wanted, "never"]);
    }
    const bases = [...readFileSync("Dockerfile", "utf8").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect([foreign?.length, bases.length, bases.at(-1)]).toEqual([file === SCALE ? 3 : 1, 2, "scratch"]);
    for (const image of [...(foreign ?? []).map(([, service]) => service.image), ...bases.slice(0, -1)])
      expect(image).toMatch(/^[a-z]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
  });

  test("has the sizes that the documentation tells", () => {
    const inForce = Object.entries(services).map(([name, { deploy }]) => {
      const { cpus, memory } = deploy?.resources?.limits ?? {};
      return [name, String(deploy?.replicas ?? 1), cpus, memory];
    });
    const [small = "", large = ""] = readFileSync("api/docs/containers.md", "utf8").split("## The large one");
    const told = listRows(file === SCALE ? large : small).filter(([name = ""]) => name in services);
    expect(told.map((row) => row.slice(0, 4)).toSorted()).toEqual(inForce.toSorted());
  });

  test("makes a backup each day, at the same pace", () => {
    expect(services.backup?.command).toEqual(readCompose(SCALE).backup?.command);
    expect(services.backup?.command?.join(" ")).toContain("backup create --in /backups --keep 14");
  });
});

describe("docker-compose.yml", () => {
  const services = readCompose("docker-compose.yml");

  test("runs one API process and one of all workers, as npm start does, with a password that one service makes", () => {
    const small = (command: string) => command.replace("node ", "node --max-semi-space-size=2 ");
    expect(services.api?.command?.join(" ")).toBe(small(API));
    expect(services.workers?.command?.join(" ")).toBe(small(ALL_WORKERS));
    expect(Object.keys(services).toSorted()).toEqual(["api", "backup", "first", "postgres", "workers"]);
    const writers = Object.entries(services).flatMap(([name, { volumes = [] }]) =>
      volumes.includes("secrets:/secrets") ? [name] : [],
    );
    expect(writers).toEqual(["first"]);
    expect(services.first?.volumes).toContain("postgres:/database:ro");
    // Nothing has to be set.
    expect(readFileSync("docker-compose.yml", "utf8")).not.toMatch(/\$\{\w+:?\?/);
  });
});

describe("docker-compose.scale.yml", () => {
  const text = readFileSync(SCALE, "utf8");
  const services = readCompose(SCALE);

  test("runs the API and each worker by its name, after one migration, with Redis and a proxy", () => {
    const commands = Object.fromEntries(
      Object.entries(services).map(([name, { command }]) => [name, command?.join(" ")]),
    );
    expect(commands.api).toBe(API);
    expect(readFileSync("Dockerfile", "utf8")).toContain(
      `CMD ${JSON.stringify(API.split(" ")).replaceAll(",", ", ")}`,
    );
    expect(JSON.parse(readFileSync("package.json", "utf8")).scripts.api).toContain(API.slice("node ".length));
    expect(commands.migrate).toBe("node cli/migrate.ts");
    for (const worker of WORKERS) expect(commands[worker]).toBe(`${ALL_WORKERS} ${worker}`);
    expect(JSON.parse(readFileSync("package.json", "utf8")).scripts.workers).toContain(
      ALL_WORKERS.slice("node ".length),
    );
    expect(Object.keys(services).toSorted()).toEqual(
      ["postgres", "redis", "proxy", "migrate", "api", "backup", ...WORKERS].toSorted(),
    );
    expect(services.api?.deploy?.replicas).toBe(2);
    for (const name of ["api", ...WORKERS]) {
      const environment = services[name]?.environment ?? {};
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose puts the value in.
      expect(environment.REDIS_URL, name).toBe("${REDIS_URL:-redis://:${REDIS_PASSWORD}@redis:6379}");
    }
    expect(commands.redis).toContain("--maxmemory-policy noeviction");
  });

  test("asks Redis for its password, also where it looks whether Redis is well", () => {
    const { command = [], environment, healthcheck } = services.redis ?? {};
    const password = expect.stringMatching(/^\$\{REDIS_PASSWORD:\?/);
    expect([command[command.indexOf("--requirepass") + 1], environment]).toEqual([
      password,
      { REDISCLI_AUTH: password },
    ]);
    // A refused ping ends with exit code 0.
    expect(healthcheck?.test?.join(" ")).toContain("redis-cli ping | grep -q PONG");
  });

  test("lets the proxy ask the API's port whether it is ready", () => {
    const proxy = readFileSync("operators/haproxy.cfg", "utf8");
    expect(services.proxy?.volumes).toEqual([expect.stringMatching(/^\.\/operators\/haproxy\.cfg:.*:ro$/)]);
    expect(proxy).toMatch(/^ {2}option httpchk GET \/readyz$/m);
    expect(proxy).toContain(`api:${services.api?.environment?.PORT}`);
    expect(proxy).toMatch(/^ {2}bind :8080$/m);
    const [, probeMs] = /inter (\d+)ms/.exec(proxy) ?? [];
    expect(Number(probeMs) * 3).toBeLessThan(loadConfig({}).stopNoticeMs);
  });

  test("gives each process the time that it takes to stop, and waits for a PostgreSQL that stays", () => {
    const { stopNoticeMs } = loadConfig({});
    for (const name of ["api", ...WORKERS]) {
      const seconds = Number.parseInt(services[name]?.stop_grace_period ?? "", 10);
      // As the documentation says: the notice, and ten seconds more.
      expect([name, seconds * 1000 >= stopNoticeMs + 10_000]).toEqual([name, true]);
    }
    // While an empty folder is prepared, a first server answers on its socket, and goes away again.
    expect(services.postgres?.healthcheck?.test?.join(" ")).toMatch(/pg_isready -h 127\.0\.0\.1 /);
  });

  test("holds no secret", () => {
    const secrets = [...text.matchAll(/^ +\w*(?:PASSWORD|SECRET|TOKEN|KEY): (.+)$/gm)].map(
      ([, value]) => value,
    );
    expect(secrets).toEqual([expect.stringMatching(/^\$\{POSTGRES_PASSWORD:\?/)]);
    const example = readFileSync(".env.example", "utf8");
    const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
    expect(text).toContain("postgres://broadsheet:${POSTGRES_PASSWORD:?");
  });
});

describe("docker-compose.operators.yml", () => {
  const shown = readCompose("docker-compose.operators.yml");

  test("opens the operators' port of the API and of each worker on the loopback address only", () => {
    expect(Object.keys(shown).toSorted()).toEqual(["api", ...WORKERS].toSorted());
    const taken: number[] = [];
    for (const [name, { ports = [], environment = {} }] of Object.entries(shown)) {
      const port = name === "api" ? environment.OPERATORS_PORT : environment.OPERATORS_PORT_WORKERS;
      const range = new RegExp(
        `^127\\.0\\.0\\.1:\\$\\{OPERATORS_PORTS_${name.toUpperCase()}:-(\\d+)-(\\d+)\\}:${port}$`,
      );
      const [, first = "0", last = "0"] = range.exec(ports.join()) ?? [];
      expect([name, Number(last) - Number(first)]).toEqual([name, 7]);
      for (let each = Number(first); each <= Number(last); each++) taken.push(each);
      // Within a container the loopback address is its own.
      expect(environment.OPERATORS_HOST).toBe("0.0.0.0");
      expect(() => loadConfig({ PORT: "3000", ...environment })).not.toThrow();
    }
    expect(new Set(taken).size).toBe(taken.length);
  });
});

const compose = spawnSync("docker", ["compose", "version"]).status === 0;
if (!compose) console.warn("LEFT OUT: docker compose is not here, so it was not asked about our files.");

// Where there is no client there is nothing to ask: the files' own checks above still hold.
(compose ? test : () => undefined)("docker compose accepts each file, and the ports", () => {
  const env = { ...process.env, POSTGRES_PASSWORD: "example", REDIS_PASSWORD: "example" };
  for (const files of [["docker-compose.yml"], [SCALE], [SCALE, "docker-compose.operators.yml"]]) {
    const words = files.flatMap((file) => ["--file", file]);
    const { status, stderr } = spawnSync("docker", ["compose", ...words, "config", "--quiet"], { env });
    expect([files, status, String(stderr)]).toEqual([files, 0, ""]);
  }
});

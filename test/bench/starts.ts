import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { WORKERS, type WorkerName } from "../../shared/platform/jobs/catalogue.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";
import { benchService } from "./start-service.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ROUNDS = 7;
const AT_REST_AFTER_MS = 2500;
/** 110 MB, where Node alone takes 42. */
const MOST_MEMORY = 2.6;
/** 0.4 s, where Node alone takes 21 ms. */
const MOST_PROCESSOR = 19;
/** As `cli/check-node.mjs` sets it for the processes of npm. */
const CACHE = { NODE_COMPILE_CACHE: join(ROOT, "node_modules", ".cache", "broadsheet") };
const COMMANDS = ["owner list", "sweep", "jobs status", "creation list", "doctor", "owner create --help"];
/** Tells at the end of a process what processor time it took, on the last line of standard error. */
const REPORT_TIME = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => { const { user, system } = process.cpuUsage(); ' +
    'writeSync(2, "\\n" + (user + system)); });',
)}`;
const runFile = promisify(execFile);

/**
 * The processor time of commands, and the resident memory of each worker and of `npm start` at rest, beside `node -e 0`;
 * STARTS_BEFORE names a commit with which the start of `npm start` is compared.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: CACHE });
  try {
    const commands = await benchCommands(service);
    const { missed, nodeAloneMb } = await benchWorkers(service);
    return [...commands, ...missed, ...(await benchService(nodeAloneMb))];
  } finally {
    await service.close();
    await rm(service.dataDir, { recursive: true, force: true });
  }
}

async function benchCommands({ databaseUrl, dataDir }: RealService): Promise<string[]> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const entry = ["--import", join(ROOT, "cli", "check-node.mjs"), join(ROOT, "cli", "main.ts")];
  const programs = new Map([
    ["node -e 0", ["-e", "0"]],
    ...COMMANDS.map((command) => [command, [...entry, ...command.split(" ")]] as const),
  ]);
  const times = new Map([...programs.keys()].map((name) => [name, [] as number[]]));
  // The first round fills Node's cache of compiled code.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, args] of programs) {
      const milliseconds = await timeProcessor(args, env);
      if (round > 0) times.get(name)?.push(milliseconds);
    }
  }
  const figures = [...times].map(([name, taken]) => ({ name, figure: medianOf(taken) }));
  return reportRatios("processor time of a command, in ms", figures, MOST_PROCESSOR);
}

async function timeProcessor(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // `doctor` ends with 1 where it finds something.
  const { stderr } = await runFile(process.execPath, ["--import", REPORT_TIME, ...args], { env }).catch(
    (error: { stderr: string }) => error,
  );
  return Number(stderr.slice(stderr.lastIndexOf("\n") + 1)) / 1000;
}

async function benchWorkers(service: RealService): Promise<{ missed: string[]; nodeAloneMb: number }> {
  const alone = execFile(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]);
  const figures: Figure[] = [];
  try {
    await delay(AT_REST_AFTER_MS);
    figures.push({ name: "node alone", figure: await readResident(alone.pid) });
    for (const name of WORKERS) {
      await restOnce(service, name);
      figures.push({ name, figure: await restOnce(service, name) });
    }
  } finally {
    alone.kill("SIGKILL");
  }
  const missed = reportRatios("resident memory of a worker at rest, in MB", figures, MOST_MEMORY);
  return { missed, nodeAloneMb: figures[0]?.figure ?? Number.NaN };
}

/** The resident memory of a worker at rest; a second life reads what the first one compiled. */
async function restOnce(service: RealService, name: WorkerName): Promise<number> {
  const worker = await service.startWorkers([name]);
  await delay(AT_REST_AFTER_MS);
  const resident = await readResident(worker.pid);
  worker.child.kill("SIGTERM");
  await worker.ended;
  return resident;
}

/** RSS, as it is what operators see and what a container's one process is charged with. */
async function readResident(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

interface Figure {
  name: string;
  figure: number;
}

/** Prints each figure beside the first, and names those over the most. */
function reportRatios(title: string, figures: readonly Figure[], most: number): string[] {
  const peer = figures[0]?.figure ?? Number.NaN;
  console.log(`\n${title} (at most ${most} × ${figures[0]?.name})`);
  return figures.flatMap(({ name, figure }) => {
    const told = `${name}: ${figure.toFixed(0)}, ${(figure / peer).toFixed(2)} ×`;
    console.log(told);
    return figure / peer <= most ? [] : [`${title}: ${told}`];
  });
}

import type { Command } from "commander";
import { type CopyProgress, copyStore } from "../../shared/care/backup/copy-store.ts";
import {
  eachOrphanFile,
  type Progress,
  sweepOrphanFiles,
  verifyFiles,
  type WrongFile,
} from "../../shared/datasets/uploads/sweeps.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const TELL_EVERY_MS = 5_000;
/** More faults than this are counted, not listed. */
const MOST_LISTED = 1_000;

/** files verify, files gc, files copy. */
export function addCommands(program: Command, run: RunCommand): void {
  const files = program.command("files").description("the stored files");
  files
    .command("verify")
    .description("read every stored file and compare it with its row; exit code 1 when one differs")
    .action(async () => {
      await run(verify, { fails: (answer) => answer.wrong > 0 });
    });
  files
    .command("gc")
    .description("list stored files that no row stands for")
    .option("--delete", "remove them, too")
    .action(async (options: { delete?: boolean }) => {
      await run((deps) => collect(deps, options.delete ?? false));
    });
  files
    .command("copy")
    .description("copy every file into another store and compare it; exit code 1 when one is wrong")
    .requiredOption("--to <URL>", "the other store, in the form of FILES_URL")
    .option("--by-size", "do not read files that are there already in their size")
    .action(async ({ to, bySize = false }: { to: string; bySize?: boolean }) => {
      await run((deps) => copy(deps, to, bySize), { fails: (answer) => answer.wrong > 0 });
    });
}

async function verify(deps: Deps): Promise<Progress & { files: WrongFile[] }> {
  const { files, report } = openReport<WrongFile>();
  const progress = await verifyFiles(deps, report);
  return { ...progress, files };
}

async function copy(deps: Deps, to: string, bySize: boolean): Promise<CopyProgress & { files: string[] }> {
  const { files, report } = openReport<string>();
  const progress = await copyStore(deps, to, { bySize, report });
  return { ...progress, files };
}

/** Collects the files that are wrong, and tells the progress from time to time. */
function openReport<Wrong>() {
  const files: Wrong[] = [];
  let toldMs = performance.now();
  const report = (progress: object, wrong: Wrong | null) => {
    if (wrong !== null && files.length < MOST_LISTED) files.push(wrong);
    if (performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    process.stderr.write(`${JSON.stringify({ progress })}\n`);
  };
  return { files, report };
}

async function collect(deps: Deps, isDeleting: boolean) {
  if (isDeleting) return { deleted: await sweepOrphanFiles(deps) };
  const files: string[] = [];
  let orphans = 0;
  for await (const key of eachOrphanFile(deps)) {
    orphans++;
    if (files.length < MOST_LISTED) files.push(key);
  }
  return { orphans, files };
}

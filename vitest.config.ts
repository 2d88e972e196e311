import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { DEEP } from "./test/support/depth.ts";

const cluster = ["test/support/global-setup.ts"];
const pure = [
  "test/*.test.ts",
  "test/shared/{ground,tables,text,requests}/**/*.test.ts",
  "test/shared/platform/{outbound,threads,files}/**/*.test.ts",
  "test/shared/{identity/audit,works/previews,reading/view-counts}/**/*.test.ts",
  "test/api/{pages,openapi,http/hooks}/**/*.test.ts",
];
// Tests of their own for npm run test:deep.
const deep = DEEP ? [] : ["**/*.deep.test.ts"];

// These wait for shells, and run where real processes do.
const waitForShells = [
  "test/client/**/*.test.ts",
  "test/api/docs/examples.test.ts",
  "test/api/rules/evidence/oracle.test.ts",
];
// These wait for a job's pause, a claim, a silent network or another process for most of their time: they run beside all others.
const waitForClocks = [
  "test/e2e/events-waiting.test.ts",
  "test/e2e/processes.test.ts",
  "test/e2e/redis.test.ts",
  "test/e2e/witnesses-page.test.ts",
  "test/faults/witness.test.ts",
  "test/shared/datasets/uploads/bucket.test.ts",
  "test/shared/identity/domains/find-proof.test.ts",
  "test/shared/platform/jobs/jobs.test.ts",
  "test/shared/trust/transparency-log/rounds-of-witnesses.test.ts",
  "test/sql/half-open.test.ts",
  "test/workers/failing-sweeps.test.ts",
];

// Begun last, one of these would run alone in the end while the other cores wait.
const LONG = [
  "test/api/rules/model/model.test.ts",
  "test/api/http/page-cache/pages.test.ts",
  "test/shared/text/markdown/speed.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(LONG.some((long) => moduleId.endsWith(long)));
    return (await super.sort(files)).toSorted((left, right) => isLong(right) - isLong(left));
  }
}

// unit: pure code. db: real PostgreSQL, each file on its own clone of the migrated template. cli, e2e and faults start
// real processes, so their files run one after the other. The files of a project share their worker's modules: importing
// the service anew for each of them took as long as their tests. A worker serves one project at a time, so unit
// waits for cli and faults.
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // Services are opened and dropped by hundreds: a large young generation lets most of them die in it.
    execArgv: ["--max-semi-space-size=64"],
    setupFiles: ["test/support/fixed-seed.ts"],
    // A log whose beginning is cut still tells what was expected and what came.
    chaiConfig: { truncateThreshold: 2_000 },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: pure,
          exclude: [...deep],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: ["test/{api,shared,sql,workers}/**/*.test.ts"],
          exclude: [...pure, ...waitForShells, ...waitForClocks, ...deep],
          globalSetup: cluster,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          exclude: [...deep],
          fileParallelism: false,
          isolate: false,
          globalSetup: cluster,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", ...waitForShells],
          exclude: [...waitForClocks, ...deep],
          fileParallelism: false,
          isolate: false,
          globalSetup: cluster,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          exclude: [...waitForClocks, ...deep],
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "clocks",
          include: waitForClocks,
          fileParallelism: false,
          isolate: false,
          globalSetup: cluster,
        },
      },
    ],
  },
});

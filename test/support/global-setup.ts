import type { TestProject } from "vitest/node";
import { startTestCluster, type TestCluster } from "./cluster.ts";

interface Shared {
  cluster: Promise<TestCluster & { stop(): Promise<void> }> | null;
  users: number;
}

// Every project that lists this file calls it in the same process, perhaps from a copy of this module of its own:
// they share one cluster, and the last one ends it.
const KEY = Symbol.for("broadsheet.test-cluster");
const everywhere = globalThis as unknown as Record<symbol, Shared | undefined>;
const shared: Shared = everywhere[KEY] ?? { cluster: null, users: 0 };
everywhere[KEY] = shared;

/** Starts one PostgreSQL for the whole run and gives the tests its address. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.users += 1;
  shared.cluster ??= startTestCluster();
  const { adminUrl, url, stop } = await shared.cluster;
  project.provide("cluster", { adminUrl, url });
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.cluster = null;
    await stop();
  };
}

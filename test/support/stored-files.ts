import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { issueCode } from "../../shared/identity/agents/enrolment-codes.ts";
import { redeemCode } from "../../shared/identity/agents/redeem-code.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../shared/identity/sign-in/sign-in-links.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../shared/platform/deps.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { insertAsset } from "../../sql/datasets/assets.ts";

/** Opens the services of the command line for one call. */
export async function withCommandLine<T>(
  databaseUrl: string,
  dataDir: string,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const config = loadConfig({ DATA_DIR: dataDir });
  const log = openLog("silent", "test");
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 2, log });
  try {
    return await work(deps);
  } finally {
    await closeDeps(deps);
  }
}

/** Stores texts as an agent's files, each with its row, as an upload leaves them; their ids. */
export async function storeFiles(deps: Deps, texts: readonly string[]): Promise<string[]> {
  const agentId = await enrol(deps);
  const ids: string[] = [];
  for (const text of texts) {
    const id = deps.newId();
    await deps.files.put(id, Readable.from([Buffer.from(text)]));
    const nowMs = deps.now();
    const sha256 = createHash("sha256").update(text).digest("hex");
    const named = { kind: "dataset", format: "csv", filename: `${id}.csv` };
    const expiresMs = nowMs + 86_400_000;
    await deps.pool.transaction((tx) =>
      insertAsset(tx, { id, agentId, ...named, bytes: Buffer.byteLength(text), sha256, nowMs, expiresMs }),
    );
    ids.push(id);
  }
  return ids;
}

async function enrol(deps: Deps): Promise<string> {
  const owner = await createOwner(deps, COMMAND_LINE, { email: "files@example.org", alias: null });
  const wanted = { ownerId: owner.owner_id, handle: null, hours: 1 };
  const { enrollment_code } = await issueCode(deps, COMMAND_LINE, wanted);
  const body = { enrollment_code, handle: "file-keeper" };
  const input = { authorization: undefined, body, address: "127.0.0.1", requestId: deps.newId() };
  return (await redeemCode(deps, input)).agent.id;
}

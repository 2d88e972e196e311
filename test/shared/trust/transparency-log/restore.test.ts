import { expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { restoreBackup } from "../../../../shared/care/backup/restore.ts";
import { readLogStatus, reopenLog } from "../../../../shared/trust/transparency-log/operate-log.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { makeLogKey, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { readExtra, verifyProof } from "../../text/transparency-log/oracle/verify-log.ts";

test("a restored service signs nothing until its log is reopened, and its old proofs hold", async () => {
  const config = { logKeys: [makeLogKey()] };
  const source = await openService({ workers: false, config });
  const restored = await openService({ workers: false, config });
  const folder = await openFolder();
  const agent = await connectAuthor(source, { handle: "tidewatch" });
  const work = await publishNew(agent, { slug: "surge" });
  await sequence(source);
  await publishNew(agent, { slug: "waiting" });
  await createBackup(source.deps, source.databaseUrl, folder);
  const proofOf = async (slug: string) =>
    (await readRaw(restored, `/@tidewatch/${slug}/revisions/1.tlog-proof`)).text;
  const before = await readWholeLog(source);

  await restoreBackup(restored.deps, restored.databaseUrl, folder);
  expect(await sequence(restored)).toBe(0);
  expect(await readLogStatus(restored.deps)).toMatchObject({ standstill: "restored", waiting: 1 });
  expect((await readWholeLog(restored)).checkpoint).toBe(before.checkpoint);
  const proof = await proofOf("surge");
  expect(verifyProof(proof, before.vkey, before.entries[0] ?? Buffer.alloc(0))).toBe(1);
  expect(readExtra(proof)?.statement).toMatchObject({ creation: work.id });

  expect(await reopenLog(restored.deps)).toMatchObject({ log: 2, was: "restored" });
  expect(await sequence(restored)).toBe(1);
  const after = await readWholeLog(restored, "/log/2");
  expect(after.told).toMatchObject([
    { type: "reopened", checkpoint: before.checkpoint },
    { type: "published", revision: 1 },
  ]);
  expect(verifyProof(await proofOf("waiting"), after.vkey, after.entries[1] ?? Buffer.alloc(0))).toBe(2);
  // What the source signs meanwhile contradicts nothing: it is another log.
  expect(await sequence(source)).toBe(1);
});

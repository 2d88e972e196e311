import type { Tx } from "../../sql/connection/pool.ts";
import { type DrawingRow, deleteDrawings, listDrawings, saveDrawings } from "../../sql/drawings.ts";
import {
  deletePendingDrawing,
  restartPendingDrawings,
  upsertPendingDrawing,
} from "../../sql/pending-drawings.ts";
import { listDrawingBodies } from "../../sql/readers/replica-bodies.ts";
import { listSavedTexts } from "../../sql/saved-texts.ts";
import { sha256, toCanonicalJson } from "../checksum.ts";
import { DRAWING_VERSION, type Drawable } from "../core/draw/draw-block.ts";
import { type DrawingBlock, findDrawingBlocks } from "../core/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../core/markdown/parse.ts";
import type { Deps } from "../deps.ts";
import { askReplica } from "../replica-reads.ts";
import type { Threads } from "../threads/open.ts";

/** A drawing that is pending longer lost its job, or its worker died. */
const LOST_AFTER_MS = 60_000;
const MOST_ORDERS = 5;

/** Enqueues the drawings of a saved text; a text without such a fence costs nothing. */
export async function enqueueDrawings(
  tx: Tx,
  deps: Deps,
  of: "creation" | "profile",
  revisionId: string,
  texts: readonly (string | null)[],
): Promise<void> {
  if (!texts.some((text) => text !== null && /(?:```|~~~)[ \t]*(?:chart|mermaid)/i.test(text))) return;
  const attempt = await upsertPendingDrawing(tx, { revisionId, kind: of, nowMs: deps.now() });
  await deps.jobs.enqueue(tx, "draw-blocks", { of, revision_id: revisionId, attempt });
}

/**
 * Enqueues drawings again whose job was lost and returns the count; a drawing that no worker can draw is left
 * to its first reader.
 */
export async function sweepDrawings(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const restarted = await restartPendingDrawings(tx, nowMs - LOST_AFTER_MS, nowMs);
    for (const { revision_id, kind, attempt } of restarted) {
      if (attempt > MOST_ORDERS) await deletePendingDrawing(tx, revision_id);
      else await deps.jobs.enqueue(tx, "draw-blocks", { of: kind, revision_id, attempt });
    }
    return restarted.length;
  });
}

/** Draws what a saved revision contains and is not drawn yet; running it twice or late changes nothing. */
export async function drawRevision(
  deps: Deps,
  threads: Threads,
  of: "creation" | "profile",
  revisionId: string,
): Promise<void> {
  const texts = await listSavedTexts(deps.pool, of, revisionId);
  await getDrawings(
    deps,
    threads,
    texts.flatMap((text) => findDrawingBlocks(parseMarkdown(text))),
  );
  await deps.pool.transaction((tx) => deletePendingDrawing(tx, revisionId));
}

/**
 * The figures of blocks, in their order: stored ones, and missing ones drawn and stored now; null for one
 * that cannot be drawn.
 */
export async function getDrawings(
  deps: Deps,
  threads: Threads,
  blocks: readonly DrawingBlock[],
): Promise<(string | null)[]> {
  if (blocks.length === 0) return [];
  const wanted = blocks.map(({ kind, number, source }) => ({ kind, number, source }));
  const hashes = wanted.map(hashOf);
  const figures = new Map((await listStored(deps, hashes)).map(({ hash, html }) => [hash, html]));
  const missing = wanted.filter((_, index) => !figures.has(hashes[index] ?? ""));
  const drawn = missing.length === 0 ? [] : await threads.draw(missing);
  drawn.forEach((html, index) => {
    const kind = missing[index]?.kind === "Chart" ? "chart" : "flowchart";
    deps.metrics.drawings.inc({ kind, outcome: html === null ? "failed" : "drawn" });
  });
  const fresh = drawn.flatMap((html, index) => {
    const block = missing[index];
    return html === null || block === undefined ? [] : [{ hash: hashOf(block), html }];
  });
  await saveDrawings(deps.pool, fresh, deps.now());
  for (const { hash, html } of fresh) figures.set(hash, html);
  return hashes.map((hash) => figures.get(hash) ?? null);
}

/**
 * Reads stored drawings, from the replica where it has all of them: the caller has the text, so it may see
 * them.
 */
async function listStored(deps: Deps, hashes: readonly string[]): Promise<readonly DrawingRow[]> {
  const distinct = [...new Set(hashes)];
  const isAll = (found: readonly DrawingRow[]) => (found.length === distinct.length ? found : null);
  const copied =
    deps.replica &&
    (await askReplica(deps, deps.replica, async (it) => isAll(await listDrawingBodies(it, distinct))));
  return copied ?? (await listDrawings(deps.pool, distinct));
}

/**
 * Deletes the drawings of a text whose content is removed; where another text has the same, they are drawn
 * again.
 */
export async function deleteDrawingsOfText(tx: Tx, text: unknown): Promise<void> {
  if (typeof text !== "string") return;
  const blocks = findDrawingBlocks(parseMarkdown(text));
  await deleteDrawings(
    tx,
    blocks.map(({ kind, number, source }) => hashOf({ kind, number, source })),
  );
}

function hashOf(block: Drawable): string {
  return sha256(toCanonicalJson([DRAWING_VERSION, block.kind, block.number, block.source]));
}

import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import {
  deleteDrawings,
  deleteDrawingsOfRevision,
  listDrawings,
  listSavedTexts,
  saveDrawing,
} from "../../../sql/datasets/drawings.ts";
import { listChartHashes } from "../../../sql/datasets/kept-answers.ts";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import { Refusal } from "../../ground/errors.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { workOff } from "../../platform/pending-work/work-off.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { DRAWING_VERSION, type Drawable, renderBlockAsText } from "../../text/drawing/draw-block.ts";
import type { DrawingBlock } from "../../text/markdown/drawing-blocks.ts";
import { fillRows, type KeptCharts, openKeptRows, type RowsByNumber } from "./charts.ts";

/** Enqueues the drawings of a saved text; a text without such a fence costs nothing. */
export async function enqueueDrawings(
  tx: Tx,
  deps: Deps,
  of: "creation" | "profile",
  revisionId: string,
  texts: readonly (string | null)[],
): Promise<void> {
  if (!texts.some((text) => text !== null && /(?:```|~~~)[ \t]*(?:chart|mermaid)/i.test(text))) return;
  await orderWork(tx, deps, [{ name: "draw-blocks", payload: { of, revision_id: revisionId, attempt: 1 } }]);
}

/**
 * Draws what a saved revision contains and is not drawn yet, and stores each block by itself; running it twice,
 * late or after half of them changes nothing.
 */
export async function drawRevision(
  deps: Deps,
  threads: Threads,
  of: "creation" | "profile",
  revisionId: string,
): Promise<void> {
  await workOff(deps, "draw-blocks", revisionId, async (isGivenUp) => {
    // A drawing that no worker can make is left to its first reader.
    if (isGivenUp) return;
    const texts = await listSavedTexts(deps.pool, of, revisionId);
    const loadRows = openKeptRows(deps.pool, of === "creation" ? revisionId : null);
    const hashes = await readHashes(deps.pool, revisionId);
    const read = await Promise.all(texts.map((text) => deps.texts.read(text)));
    const blocks = read
      .flatMap((one) => one.blocks)
      .map((block) => ({ ...nameBlock(block, hashes), revisionId }));
    const stored = await readStored(deps, blocks);
    for (const block of blocks) {
      if (!stored.has(block.hash)) await drawAndStore(deps, threads, block, loadRows);
    }
    await deps.pool.transaction(async (tx) => {
      // The content was removed, or another draft replaced it, while it was drawn.
      const isGone = texts.length > 0 && (await listSavedTexts(tx, of, revisionId)).length === 0;
      if (isGone) await deleteDrawingsOfRevision(tx, revisionId);
    });
  });
}

/** What a page shows of a block. */
export interface Figure {
  html: string;
  /** Whether the block is drawn, or cannot be; else this is its text version until it is drawn. */
  isLasting: boolean;
}

/**
 * The figures of a revision's blocks, in their order: stored ones, and missing ones drawn and stored now. A reader waits
 * `waitMs` at most for those, and sees the others as text.
 */
export async function getFigures(
  deps: Deps,
  threads: Threads,
  blocks: readonly DrawingBlock[],
  waitMs: number,
  { revisionId, charts = null }: { revisionId: string; charts?: KeptCharts | null },
): Promise<Figure[]> {
  if (blocks.length === 0) return [];
  const wanted = blocks.map((block) => ({ ...nameBlock(block, charts?.hashes), revisionId }));
  const stored = await readStored(deps, wanted);
  const untilMs = performance.now() + waitMs;
  const loadRows = openKeptRows(deps.pool, charts?.revisionId ?? null);
  const figures: Figure[] = [];
  for (const block of wanted) {
    const leftMs = untilMs - performance.now();
    const html = stored.get(block.hash) ?? (await drawInTime(deps, threads, block, { loadRows, leftMs }));
    figures.push({ html: html ?? (await renderAsText(block, loadRows)), isLasting: html !== null });
  }
  return figures;
}

async function renderAsText(
  { drawable, rowsHash }: NamedBlock,
  loadRows: () => Promise<RowsByNumber>,
): Promise<string> {
  return renderBlockAsText((await fillRows(drawable, rowsHash, loadRows)) ?? drawable);
}

/** A block, the hash of the rows that are kept for it, and the hash under which its drawing is stored. */
type NamedBlock = ReturnType<typeof nameBlock>;

/** A block with the revision whose text it is of. */
type OwnBlock = NamedBlock & { revisionId: string };

function nameBlock({ kind, number, source }: DrawingBlock, hashes?: KeptCharts["hashes"]) {
  const drawable = { kind, number, source };
  const rowsHash = kind === "Chart" ? (hashes?.get(number) ?? null) : null;
  return { drawable, rowsHash, hash: hashOf(drawable, rowsHash) };
}

const LATE = new Error("the drawing was not ready in time");

/** A figure, or null where it is not ready in time; it is drawn and stored all the same. */
async function drawInTime(
  deps: Deps,
  threads: Threads,
  block: OwnBlock,
  { loadRows, leftMs }: { loadRows: () => Promise<RowsByNumber>; leftMs: number },
): Promise<string | null> {
  if (leftMs <= 0) return null;
  const drawing = () =>
    withTimeout<string | null>(drawAndStore(deps, threads, block, loadRows), leftMs, () => LATE);
  return await waitWithoutPlace(drawing).catch((error) => {
    // Also where its turn would come too late, or the reader has left.
    if (error === LATE || error instanceof Refusal) return null;
    throw error;
  });
}

/** Draws a block and stores the figure; for one that cannot be drawn its text version, so that nobody tries again. */
async function drawAndStore(
  deps: Deps,
  threads: Threads,
  { hash, rowsHash, revisionId, ...block }: OwnBlock,
  loadRows: () => Promise<RowsByNumber>,
): Promise<string> {
  const drawable = await fillRows(block.drawable, rowsHash, loadRows);
  if (drawable === null) return renderBlockAsText(block.drawable);
  const kind = drawable.kind === "Chart" ? "chart" : "flowchart";
  const drawn = await threads.draw(drawable);
  deps.metrics.drawings.inc({ kind, outcome: drawn === null ? "failed" : "drawn" });
  if (drawn === null) deps.log.warn({ kind, hash }, "block could not be drawn; its text stands for it");
  const html = drawn ?? renderBlockAsText(drawable);
  await saveDrawing(deps.pool, { hash, html, revisionId }, deps.now());
  return html;
}

async function readStored(deps: Deps, blocks: readonly NamedBlock[]): Promise<Map<string, string>> {
  const rows = await listDrawings(deps.pool, [...new Set(blocks.map(({ hash }) => hash))]);
  return new Map(rows.map(({ hash, html }) => [hash, html]));
}

/**
 * Deletes the drawings of a text whose content is removed; where another text has the same, they are drawn
 * again. Returns their hashes. `revisionId` is the creation's revision that still keeps the rows of its charts.
 */
export async function deleteDrawingsOfText(
  tx: Tx,
  deps: Deps,
  text: unknown,
  revisionId?: string,
): Promise<string[]> {
  if (typeof text !== "string") return [];
  const rows = revisionId === undefined ? undefined : await readHashes(tx, revisionId);
  const { blocks } = await deps.texts.read(text);
  const hashes = blocks.map((block) => nameBlock(block, rows).hash);
  await deleteDrawings(tx, hashes);
  return hashes;
}

async function readHashes(db: Db, revisionId: string): Promise<KeptCharts["hashes"]> {
  const rows = await listChartHashes(db, revisionId);
  return new Map(rows.map(({ number, rows_sha256 }) => [number, rows_sha256]));
}

/** Drawings are stored by what is drawn: the text of the block, and the rows where a question found them. */
function hashOf({ kind, number, source }: Drawable, rowsHash: string | null): string {
  const rows = rowsHash === null ? [] : [rowsHash];
  return sha256(toCanonicalJson([DRAWING_VERSION, kind, number, source, ...rows]));
}

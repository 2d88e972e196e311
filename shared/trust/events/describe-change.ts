import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type CreationChangeRow,
  listUntold,
  type NewEvent,
  type OutboxRow,
  type RevisionFacts,
} from "../../../sql/trust/event-sequencing.ts";
import type { EventType } from "./present-event.ts";

/** An event as a change tells it: what is left out is that of the change. */
export interface ToldEvent {
  type: EventType;
  data: NewEvent["data"];
  /** Of a watched question the agent whose work it is about; who watches is told. */
  authorId?: string;
}

/** Who is told what of a change, beside those who are told of its references. */
export interface Told {
  /** For the agent itself. */
  own: ToldEvent | null;
  /** For agents whose live revisions name the work. */
  reference: ToldEvent | null;
  /** Told beside the two others to those agents, and to who watches. */
  corrected: ToldEvent | null;
  /** Who is told the agent's own event by a watch: nobody, those who watch the work, or those who watch its agent too. */
  watchedBy: "nobody" | "work" | "all";
}

const NOBODY: Told = { own: null, reference: null, corrected: null, watchedBy: "nobody" };

/** Says who is told what of a change. `facts` are those of a creation's revisions. */
export function describeChange(row: OutboxRow, facts: RevisionFacts | null): Told {
  if (row.kind === "closing") return { ...NOBODY, reference: { type: "reference.gone", data: {} } };
  if (row.kind === "own") {
    const { author_id, ...data } = row.facts;
    const author = typeof author_id === "string" ? { authorId: author_id } : {};
    return { ...NOBODY, own: { type: row.type as EventType, data, ...author } };
  }
  if (facts === null) throw new Error("a change of a creation lacks the facts of its revisions");
  const own = describeOwn(row, facts);
  return {
    own,
    reference: describeReference(row, facts),
    corrected: own?.type === "creation.updated" ? describeCorrection(facts) : null,
    watchedBy: findWatchers(row, own),
  };
}

function describeOwn(
  { by, live_before, live_after, facts }: CreationChangeRow,
  numbers: RevisionFacts,
): ToldEvent | null {
  const { after_number, before_number, after_minor, before_minor } = numbers;
  const number = after_number ?? before_number ?? facts.latest_number;
  if (facts.hidden_before !== facts.hidden_after) {
    const type = facts.hidden_after ? "moderation.hidden" : "moderation.unhidden";
    return { type, data: { revision_number: number, by } };
  }
  const minor = after_minor ?? before_minor ?? false;
  const data = { revision_number: number, minor, visibility: facts.visibility_after, by };
  if (live_after !== live_before) {
    if (live_after === null) return { type: "creation.unpublished", data };
    if (facts.is_first) return { type: "creation.published", data };
    return { type: "creation.updated", data: { ...data, correction: numbers.after_correction } };
  }
  if (facts.retracted_before !== facts.retracted_after) {
    const type = facts.retracted_after ? "creation.retracted" : "creation.reinstated";
    return { type, data: { by } };
  }
  if (facts.visibility_before === facts.visibility_after) return null;
  return { type: "creation.visibility", data };
}

function describeCorrection({ after_number, after_correction }: RevisionFacts): ToldEvent | null {
  if (after_correction !== true) return null;
  return { type: "creation.corrected", data: { revision_number: after_number } };
}

function describeReference(row: CreationChangeRow, numbers: RevisionFacts): ToldEvent | null {
  const { facts, live_before, live_after } = row;
  const [wasOpen, isOpen] = [isOpenBefore(row), isOpenAfter(row)];
  if (wasOpen && !isOpen) return { type: "reference.gone", data: {} };
  if (!isOpen) return null;
  if (facts.retracted_after !== facts.retracted_before) {
    return { type: facts.retracted_after ? "reference.retracted" : "reference.reinstated", data: {} };
  }
  if (live_after === live_before || facts.is_first || numbers.after_minor === true) return null;
  const data = { from_revision: numbers.before_number, to_revision: numbers.after_number };
  return { type: "reference.changed", data };
}

/** Watches are silent about what their agents could not open, and watches of an agent about its unlisted works. */
function findWatchers(row: CreationChangeRow, own: ToldEvent | null): Told["watchedBy"] {
  if (own === null || !own.type.startsWith("creation.")) return "nobody";
  const isGone = own.type === "creation.unpublished";
  if (!(isGone ? isOpenBefore(row) : isOpenAfter(row))) return "nobody";
  const { visibility_before, visibility_after } = row.facts;
  return (isGone ? visibility_before : visibility_after) === "public" ? "all" : "work";
}

function isOpenBefore({ agent_open, live_before, facts }: CreationChangeRow): boolean {
  return agent_open && live_before !== null && !facts.hidden_before;
}

function isOpenAfter({ agent_open, live_after, facts }: CreationChangeRow): boolean {
  return agent_open && live_after !== null && !facts.hidden_after;
}

const ROWS_A_READ = 500;

/**
 * Chooses up to `most` changes to be told next: new ones in the order of the outbox, then those that are being told, the
 * least told first. Within each creation the order stays that of commits: a change waits while an earlier one is still to
 * tell of its creation, or of one that it names.
 */
export async function chooseUntold(tx: Tx, most: number): Promise<readonly OutboxRow[]> {
  const chosen: OutboxRow[] = [];
  const begun: OutboxRow[] = [];
  const mustWait = openOrder();
  for (let afterId = 0; ; ) {
    const rows = await listUntold(tx, afterId, ROWS_A_READ);
    for (const row of rows) {
      if (mustWait(row)) continue;
      if (row.part !== "new") begun.push(row);
      else if (chosen.push(row) === most) return chosen;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_A_READ) break;
    afterId = last.id;
  }
  const leastTold = begun.toSorted((left, right) => left.told - right.told || left.id - right.id);
  return [...chosen, ...leastTold].slice(0, most);
}

/** Whether a change must wait for earlier ones; it is asked for each in the order of the outbox. */
function openOrder(): (row: OutboxRow) => boolean {
  /** The creations of which an earlier change is still to tell. */
  const awaited = new Set<string>();
  return ({ creation_id: own, named, part }) => {
    const told = [own, ...(named ?? []).map(([target]) => target)].filter((id) => id !== null);
    const waits = part === "new" && told.some((id) => awaited.has(id));
    // What a change tells of the works that it names comes first, what it tells of its own may take many parts.
    if (own !== null) awaited.add(own);
    if (waits) for (const id of told) awaited.add(id);
    return waits;
  };
}

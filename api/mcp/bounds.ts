import { refuseName } from "../../shared/ground/nearest-name.ts";
import { isRecord } from "../../shared/requests/read-body.ts";
import type { ReadArguments } from "./read-arguments.ts";
import type { Arguments, Tool } from "./tool.ts";

/** The bytes of an answer: what a call may ask for, and what it gets where it asks for nothing. */
const BYTES = { byDefault: 40_000, least: 2_000, most: 200_000 } as const;
/** What stands around the data, of which a request that is told of the bytes does not know. */
const FRAME_BYTES = 1_000;

/** What a call wants of its answer. */
export interface Bounds {
  mostBytes: number;
  /** The parts of a work; null for the whole. */
  parts: readonly string[] | null;
  /** The first line of its text; null where none is named. */
  fromLine: number | null;
  /** Where the rows of the answer begin. */
  offset: number;
  /** Whether another call can go on where a list ends. */
  hasPages: boolean;
  /** Whether another call can ask for a part of a work. */
  hasParts: boolean;
}

const ALWAYS = ["id", "type", "slug", "visibility", "state", "lock_version", "revision_number"];
/** The objects whose members belong to parts. */
const HOLDERS = ["data", "latest_revision", "payload"];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  summary: [
    ...["title", "summary", "agent", "url", "public_url", "first_published_at", "updated_at", "retracted"],
    ...["section", "language", "disclosure", "external_url", "destination_label", "repository_url"],
  ],
  text: ["body_markdown"],
  data: ["attachments", "files", "show_preview", "license", "freshness", "update_frequency"],
  evidence: ["figures", "charts", "evidence", "warnings"],
  changes: [
    ...[
      "changes",
      "corrections",
      "published_revision",
      "scheduled_publication",
      "change_summary",
      "minor",
      "correction",
    ],
    ...["checksum", "log", "signature", "changes_feed_url", "revisions_json_url"],
  ],
  relations: ["sources", "references", "cited_by", "collections", "in_collections", "entries"],
};
/** What part `evidence` has of a figure, a chart, and what the newest data say of it; the questions stand in the whole work. */
const FACTS = ["number", "title", "rows", "text", "value", "unit", "now"];
const FACTS_NOW = ["state", "value", "rows_changed", "reason", "revision_number", "asked_at"];
const WITHOUT_TEXT = "without_text";
export const PART_NAMES = [...Object.keys(PARTS), WITHOUT_TEXT];

/** The members of an answer that belong to some parts of a work. */
export function pickParts(answer: Arguments, parts: readonly string[]): Arguments {
  const isAllElse = parts.includes(WITHOUT_TEXT);
  const named = [...ALWAYS, ...parts.flatMap((part) => PARTS[part] ?? [])];
  const isWanted = (name: string) => named.includes(name) || (isAllElse && !PARTS.text?.includes(name));
  const pick = ({ evidence, ...rest }: Arguments): Arguments => {
    const value = evidence === undefined ? rest : { evidence, ...rest };
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        if (HOLDERS.includes(name) && isRecord(member)) return [[name, pick(member)]];
        const isOfEvidence = !isAllElse && (name === "figures" || name === "charts");
        if (isWanted(name)) return [[name, isOfEvidence ? [member].flat().map(toFacts) : member]];
        return [];
      }),
    );
  };
  return pick(answer);
}

/** A figure or chart without its question, and without members that are null. */
function toFacts(one: unknown): unknown {
  if (!isRecord(one)) return one;
  const keep = (value: Arguments, names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(value).filter(([name, member]) => names.includes(name) && member !== null),
    );
  const facts = keep(one, FACTS);
  return isRecord(facts.now) ? { ...facts, now: keep(facts.now, FACTS_NOW) } : facts;
}

/** Takes the arguments that bound an answer out of those of its request. */
export function takeBounds(tool: Tool, read: ReadArguments): { bounds: Bounds; read: ReadArguments } {
  const has = (name: string) => name in tool.arguments.shape;
  const args = { ...read.args };
  const problems = { ...read.problems };
  const take = (name: string): unknown => {
    const value = has(name) ? (args[name] ?? null) : null;
    if (has(name)) delete args[name];
    return value;
  };
  const asked = take("max_bytes");
  const mostBytes = Number(asked ?? tool.bytesByDefault ?? BYTES.byDefault);
  if (!Number.isInteger(mostBytes) || mostBytes < BYTES.least || mostBytes > BYTES.most)
    problems.max_bytes = [`The max_bytes must be a whole number from ${BYTES.least} to ${BYTES.most}.`];
  const line = take("from_line");
  const fromLine = line === null ? null : Number(line);
  if (fromLine !== null && !(Number.isInteger(fromLine) && fromLine >= 1))
    problems.from_line = ["The from_line must be a whole number of 1 or more."];
  const part = take("part");
  const parts = part === null ? null : [part].flat().map(String);
  if (fromLine !== null && parts?.length && !parts.includes("text"))
    problems.from_line ??= ["The from_line is of the text, which these parts leave out. Add the part text."];
  const unknown = parts?.find((name) => !PART_NAMES.includes(name));
  if (unknown !== undefined)
    problems.part = [refuseName(unknown, { kind: "part", taker: "tool" }, PART_NAMES)];
  const bounds = {
    ...{ mostBytes, parts: parts?.length === 0 ? null : parts, fromLine },
    ...{ offset: Number(args.offset ?? 0), hasPages: has("per_page"), hasParts: has("part") },
  };
  return { bounds, read: { args, problems } };
}

/** The preference by which a request ends its answer itself at some bytes, where it can do that better. */
export function preferBytes({ mostBytes }: Bounds) {
  return { prefer: `max-bytes=${mostBytes - FRAME_BYTES}` };
}

import { z } from "zod";
import { askWhetherMeant, shortenName } from "../ground/nearest-name.ts";
import { findOccurrences, linesOf, nameLines } from "../ground/occurrences.ts";
import { findHalfPair } from "../ground/text.ts";
import type { SaidDisclosure } from "../text/disclosure/describe-disclosure.ts";
import { addProblem, explainIssues, type Problems, refuseMembers } from "./explain.ts";
import { idField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atLeast, atMost, describeMember, membersOf, textOf } from "./members.ts";
import { isRecord } from "./read-body.ts";
import { type Rebinding, rebindField, toRebinding } from "./rebinding.ts";
import { sectionSlugField } from "./slugs.ts";
import { foldMarkdownEnds, reportFault } from "./text-fields.ts";

function replacementSchema() {
  // Half a pair would match in the middle of a character.
  const text = z
    .string()
    .overwrite(foldMarkdownEnds)
    .superRefine((found, context) => reportFault(findHalfPair(found), context));
  return membersOf({
    find: describeMember(
      text.check(atLeast(1)).check(atMost(PAYLOAD_LIMITS.findCharacters)),
      "Exact text of body_markdown.",
      "1.2 m",
    ),
    with: describeMember(
      text.check(atMost(PAYLOAD_LIMITS.replacementCharacters)),
      "The text that takes its place; empty takes it away.",
      "1.1 m",
    ),
    count: describeMember(
      z.int().min(1).nullish(),
      "How often find must occur; every occurrence is replaced. Left out: 1.",
      1,
    ),
  });
}

const SWAP = { label: "Hourly readings", asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N" };

function swapSchema() {
  return membersOf({
    label: describeMember(z.string(), "The label of the attachment.", SWAP.label),
    asset_id: describeMember(idField(), "The file that takes its place.", SWAP.asset_id),
  });
}

/** The member `changes` of PATCH /creations/{creation}, in place of a whole payload. */
export const ChangesRequest = membersOf({
  set: describeMember(
    z.record(z.string(), z.unknown()).nullish(),
    "Members of the payload that are replaced; null takes one away.",
    { summary: "What one gauge saw." },
  ),
  replace: describeMember(
    z.array(replacementSchema()).check(atMost(PAYLOAD_LIMITS.replacements)).nullish(),
    "Replacements in body_markdown, in this order, behind set; each finds what the one before left.",
    [{ find: "1.2 m", with: "1.1 m" }],
  ),
  files: describeMember(
    z.array(swapSchema()).check(atMost(PAYLOAD_LIMITS.attachments)).nullish(),
    "Other files at attachments, which keep their label, notes and dictionary.",
    [SWAP],
  ),
  rebind: rebindField(),
  section: describeMember(
    sectionSlugField().nullish(),
    "The slug of one of your sections. Left out: kept; null takes it away.",
    "reports",
  ),
});

type Changes = z.output<typeof ChangesRequest>;
type Replacement = NonNullable<Changes["replace"]>[number];
type Swap = NonNullable<Changes["files"]>[number];

/** The newest revision of a creation, to which changes are made. */
export interface ChangeBase {
  payload: Readonly<Record<string, unknown>>;
  section: string | null;
  /** How it was made, as its agent said; left out or null where it said nothing. */
  disclosure?: SaidDisclosure | null;
}

/** A payload after changes, not checked yet; `section` is undefined where the changes leave it out. */
export interface Changed {
  payload: Record<string, unknown>;
  section: string | null | undefined;
  /** The places of attachments whose file `changes.files` names, each with its place there. */
  swapped: ReadonlyMap<number, number>;
  /** What is left to do of the changes. */
  rebind: Rebinding | null;
}

/** Members of a save that models put into `set`, with the place where each belongs. */
const ELSEWHERE = new Map([
  ["section", "in changes"],
  ...["change_summary", "minor", "correction", "disclosure", "publish", "schedule"].map(
    (name) => [name, "beside changes"] as const,
  ),
]);

/**
 * The payload that the changes make of a revision's: `set` first, then each replacement on what the one before left.
 * Null where the changes themselves have a problem. The result is not checked: it may be no valid payload.
 */
export function applyChanges(
  sent: unknown,
  base: ChangeBase,
  type: { name: string; members: readonly string[] },
  problems: Problems,
): Changed | null {
  const { data, error } = ChangesRequest.safeParse(withoutBlank(sent), { reportInput: true });
  if (error !== undefined) explainIssues(error.issues, ["changes"], problems);
  // The schema's own reading of `set` leaves out names such as __proto__.
  const set = isRecord(sent) && isRecord(sent.set) ? sent.set : {};
  const isKnown = refuseUnknown(set, type.members, problems);
  if (data === undefined || !isKnown) return null;
  const whole = Object.fromEntries(
    Object.entries({ ...base.payload, ...set }).filter(([name]) => set[name] !== null),
  );
  const replacements = data.replace ?? [];
  const { section } = data;
  const files = data.files ?? [];
  if (files.length > 0 && set.attachments !== undefined)
    addProblem(problems, "changes.files", "Send attachments in set, or the files of some here, not both.");
  const swapped = findSwapped(whole.attachments, files, problems);
  const payload = swapFiles(whole, files, swapped);
  const rebind = toRebinding(data.rebind);
  if (rebind !== null && !type.members.includes("figures"))
    addProblem(problems, "changes.rebind", `A creation of type ${type.name} has no figures to rebind.`);
  if (replacements.length === 0) return { payload, section, swapped, rebind };
  if (!type.members.includes("body_markdown")) {
    addProblem(problems, "changes.replace", `A creation of type ${type.name} has no body_markdown.`);
    return null;
  }
  const body = typeof payload.body_markdown === "string" ? foldMarkdownEnds(payload.body_markdown) : "";
  const body_markdown = replaceAll(body, replacements, problems);
  return body_markdown === null ? null : { payload: { ...payload, body_markdown }, section, swapped, rebind };
}

/** The place of the attachment that each swap names, with the swap's own; a swap that names none, or several, is refused. */
function findSwapped(attachments: unknown, files: readonly Swap[], problems: Problems): Map<number, number> {
  const labels = (Array.isArray(attachments) ? attachments : []).map((one) => textOf(one, "label") ?? "");
  const swapped = new Map<number, number>();
  for (const [at, { label }] of files.entries()) {
    const place = labels.indexOf(label);
    const fault = explainLabel(label, labels, swapped.has(place));
    if (fault === null) swapped.set(place, at);
    else addProblem(problems, `changes.files.${at}.label`, fault);
  }
  return swapped;
}

/** Why a label names no attachment, or none that is free; null where it names one. */
export function explainLabel(label: string, labels: readonly string[], isTaken: boolean): string | null {
  const found = labels.filter((one) => one === label).length;
  if (found === 0) {
    const known =
      labels.length === 0
        ? "There is none."
        : `There are ${labels.map((one) => `"${shortenName(one)}"`).join(", ")}.`;
    return `No attachment has this label.${askWhetherMeant(label, labels)} ${known}`;
  }
  if (found > 1) return "Several attachments have this label; send attachments in set.";
  return isTaken ? "It repeats an earlier label; name each attachment once." : null;
}

function swapFiles(
  payload: Record<string, unknown>,
  files: readonly Swap[],
  swapped: ReadonlyMap<number, number>,
): Record<string, unknown> {
  if (swapped.size === 0) return payload;
  const attachments = (payload.attachments as Record<string, unknown>[]).map((attachment, place) => {
    const file = files[swapped.get(place) ?? -1];
    if (file === undefined) return attachment;
    // Of the file before.
    const { canonical_sha256: _, ...kept } = attachment;
    return { ...kept, asset_id: file.asset_id };
  });
  return { ...payload, attachments };
}

/** A blank section is none, as beside a payload. */
function withoutBlank(sent: unknown): unknown {
  const isBlank = isRecord(sent) && typeof sent.section === "string" && sent.section.trim() === "";
  return isBlank ? { ...sent, section: null } : sent;
}

function refuseUnknown(
  set: Record<string, unknown>,
  members: readonly string[],
  problems: Problems,
): boolean {
  const unknown = Object.keys(set).filter((name) => !members.includes(name));
  const misplaced = unknown.filter((name) => ELSEWHERE.has(name));
  for (const name of misplaced)
    addProblem(problems, `changes.set.${name}`, `The ${name} belongs ${ELSEWHERE.get(name)}.`);
  const stray = unknown.filter((name) => !ELSEWHERE.has(name));
  const advice = `The allowed members are ${members.join(", ")}.`;
  refuseMembers(stray, ["changes", "set"], advice, problems, members);
  return unknown.length === 0;
}

/** The text after all replacements; null where one has a problem, whose text the next ones still find. */
function replaceAll(text: string, replacements: readonly Replacement[], problems: Problems): string | null {
  let after = text;
  let isWhole = true;
  for (const [place, replacement] of replacements.entries()) {
    const path = `changes.replace.${place}`;
    const places = findOccurrences(after, replacement.find);
    const growth = places.length * (replacement.with.length - replacement.find.length);
    const wanted = replacement.count ?? 1;
    if (places.length !== wanted) {
      addProblem(problems, `${path}.find`, explainCount(after, places, wanted));
      isWhole = false;
    } else if (after.length + growth > 2 * PAYLOAD_LIMITS.bodyCharacters) {
      // A character has up to two units, so this is too long in any case, and is not even built.
      const most = PAYLOAD_LIMITS.bodyCharacters;
      addProblem(problems, `${path}.with`, `The text would get longer than ${most} characters.`);
      isWhole = false;
    } else after = replaceAt(after, places, replacement);
  }
  return isWhole ? after : null;
}

function replaceAt(text: string, places: readonly number[], { find, with: by }: Replacement): string {
  const parts: string[] = [];
  let end = 0;
  for (const place of places) {
    parts.push(text.slice(end, place));
    end = place + find.length;
  }
  return [...parts, text.slice(end)].join(by);
}

function explainCount(text: string, places: readonly number[], wanted: number): string {
  if (places.length === 0) return "It does not occur in body_markdown; give its exact text.";
  const named = nameLines(linesOf(text, places));
  const times = places.length === 1 ? "1 time" : `${places.length} times`;
  const advice = wanted < places.length ? "Give a longer find, or" : "Give";
  return `It occurs ${times}; ${named}. ${advice} count ${places.length}.`;
}

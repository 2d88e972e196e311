import { type Refusal, validationFailed } from "../../ground/errors.ts";
import { isRecord } from "../../requests/read-body.ts";
import type { ValidMembers } from "../../requests/valid-members.ts";

const FILE_OF_ATTACHMENT = /^payload\.attachments\.(\d+)\.asset_id$/;

/** A refusal that names a file where it was sent: in `changes.files`. */
export function nameSwapped(refusal: Refusal, swapped: ReadonlyMap<number, number> = new Map()): Refusal {
  if (refusal.code !== "validation_failed" || swapped.size === 0) return refusal;
  const errors = Object.entries(refusal.errors).map(([field, sentences]) => {
    const at = swapped.get(Number(FILE_OF_ATTACHMENT.exec(field)?.[1]));
    return [at === undefined ? field : `changes.files.${at}.asset_id`, sentences];
  });
  return validationFailed(Object.fromEntries(errors), refusal.hint ?? undefined);
}

const OF_A_WORK = /^payload\.(references|entries)\./;

/** A refusal of works that the latest revision names and a request with changes kept, with the way to leave them out. */
export function adviseKept(refusal: Refusal, changes: unknown): Refusal {
  const [member, ...others] = new Set(
    Object.keys(refusal.errors).map((field) => OF_A_WORK.exec(field)?.[1] ?? null),
  );
  const set = isRecord(changes) && isRecord(changes.set) ? changes.set : {};
  if (!member || others.length > 0 || Object.hasOwn(set, member)) return refusal;
  const hint = `The latest revision names it: save a new one with changes, {"set": {"${member}": […]}}.`;
  return validationFailed(refusal.errors, hint);
}

/** A refusal with the places that the items of a payload had before some were left out. */
export function restorePlaces(refusal: Refusal, places: ValidMembers["places"]): Refusal {
  if (refusal.code !== "validation_failed" || Object.keys(places).length === 0) return refusal;
  const errors = Object.entries(refusal.errors).map(([field, sentences]) => {
    const [root, ...path] = field.split(".");
    const sent = path.map((part, at) => places[path.slice(0, at).join(".")]?.[Number(part)] ?? part);
    return [root === "payload" ? [root, ...sent].join(".") : field, sentences];
  });
  return validationFailed(Object.fromEntries(errors), refusal.hint ?? undefined);
}

import { type Refusal, validationFailed } from "../../ground/errors.ts";
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

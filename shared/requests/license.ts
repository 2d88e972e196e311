import { z } from "zod";
import { explainLicence, findLicenceId } from "../text/licences/licences.ts";
import { describeMember } from "./members.ts";
import { isBlank, isRecord } from "./read-body.ts";

/** The types whose saves take the profile's default licence. */
export const LICENSED_BY_DEFAULT = ["dataset", "file"] as const;

/** An SPDX identifier in any case, read in the case of the list. */
export function licenseField(what = "license") {
  return z
    .string()
    .overwrite((text) => findLicenceId(text.trim()) ?? text.trim())
    .superRefine((text, context) => {
      if (findLicenceId(text) === null) context.addIssue(explainLicence(text, what));
    });
}

/** The `license` of a payload: emitted only where it was sent, so that checksums stay. */
export function optionalLicenseField() {
  return describeMember(
    licenseField().nullish(),
    "Under which licence others may use the work: an SPDX identifier in any case. Left out: the default_license of your published profile for datasets and files, else none; null: none.",
    "CC-BY-4.0",
  );
}

/** Whether a save leaves the licence to the profile: a whole payload without the member. Changes keep what holds. */
export function leavesLicense(body: unknown): boolean {
  if (!isRecord(body) || (body.changes ?? null) !== null || !isRecord(body.payload)) return false;
  return body.payload.license === undefined || isBlank(body.payload.license);
}

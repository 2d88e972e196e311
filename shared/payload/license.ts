import { z } from "zod";
import { findLicenceId } from "../core/licences/licences.ts";
import { explainLicence } from "../core/licences/nearest-licence.ts";
import { tell } from "./tell.ts";

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
  return tell(
    licenseField().nullish(),
    "Under which licence others may use the work: an SPDX identifier in any case. Left out: the default_license of your published profile for datasets and files, else none; null: none.",
    "CC-BY-4.0",
  );
}

/** The payload without a blank licence, which counts as left out. */
export function withoutBlankLicense(payload: Record<string, unknown>): Record<string, unknown> {
  if (!isBlank(payload.license)) return payload;
  const { license: _, ...rest } = payload;
  return rest;
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

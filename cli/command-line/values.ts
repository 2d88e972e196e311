import { z } from "zod";
import { refuseField } from "../../shared/ground/errors.ts";
import { toUlid } from "../../shared/ground/ids.ts";
import { refuseName } from "../../shared/ground/nearest-name.ts";
import { readReason, toEmail } from "../../shared/identity/sign-in/owner-fields.ts";
import { JOB_NAMES, type JobName } from "../../shared/platform/jobs/catalogue.ts";
import { refuseUsage } from "./answer.ts";

const MOST_HOURS = 24 * 365;

/** The id given for an option, in the form that rows hold; throws `validation_failed` naming the option. */
export function readId(option: string, text: string): string {
  const id = toUlid(text.trim());
  if (id === null) throw refuseField(option, `--${option} takes an id of 26 letters and digits.`);
  return id;
}

/** The e-mail address given for an option; throws `validation_failed` naming the option. */
export function readEmailOption(option: string, text: string): string {
  const email = toEmail(text);
  if (email === null)
    throw refuseField(option, `--${option} takes an e-mail address, such as nora@example.org.`);
  return email;
}

/** The options that name something: an operator writes the name that people know, or an id. */
export const OWNER = "--owner <EMAIL|ID>";
export const AGENT = "--agent <HANDLE|ID>";
export const CREATION = "--creation <ADDRESS|ID>";
export const REVISION = "--revision <ADDRESS#N|ID>";

/** Adds one more value to an option that may be written several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The option of every command that restricts access or restores it. */
export const REASON_OPTION = [
  "--reason <TEXT>",
  "why, in one line: it is kept for good, and the owner reads it",
] as const;

/** The option of every command that erases something for good. */
export const ERASURE_REASON_OPTION = [
  "--reason <TEXT>",
  "why, in one line that quotes nothing of it: it is kept for good, and the owner reads it",
] as const;

/** The reason that was given, or null without one; throws `validation_failed` on `reason`. */
export function readGivenReason(text: string | undefined): string | null {
  return text === undefined ? null : readReason(text);
}

/** Hours from 0 to a year, fractions included; 0 makes a code that has expired already. */
export function readHours(text: string): number {
  const hours = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(hours <= MOST_HOURS)) {
    throw refuseField("hours", `--hours takes a number from 0 to ${MOST_HOURS}, such as 24 or 0.5.`);
  }
  return hours;
}

/** The parts of a list that is separated by commas, without blanks around them. */
export function readList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A timestamp with its zone, as epoch milliseconds. */
export function readTimestamp(option: string, text: string): number {
  if (!z.iso.datetime({ offset: true }).safeParse(text).success) {
    throw refuseField(option, `--${option} takes a time with its zone, such as 2026-11-20T09:00:00Z.`);
  }
  return Date.parse(text);
}

/** The name of a queue: that of its job. */
export function readQueue(text: string): JobName {
  const name = JOB_NAMES.find((job) => job === text);
  if (name === undefined) {
    throw refuseField("queue", refuseName(text, { kind: "queue", taker: "service" }, JOB_NAMES));
  }
  return name;
}

/** The word on or off at the end of a line. */
export function readSwitch(given: string): boolean {
  if (given !== "on" && given !== "off") throw refuseUsage(`Write on or off, not ${given}.`);
  return given === "on";
}

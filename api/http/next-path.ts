import type { FastifyReply } from "fastify";
import { sendAnswersElsewhere } from "./hooks/security-headers.ts";

/** The page that asks an owner whether a program may act as an agent. */
export const CONSENT_PATH = "/oauth/authorize";

const PATH = /^\/(?![/\\])[\w\-/]*$/;
const CONSENT = /^\/oauth\/authorize\?[\w\-.~%!$&'()*+,;=:@/?]*$/;
/** A request for consent goes through a link in a mail. */
const MOST_CHARACTERS = 4096;

/** The path to open after signing in; null unless it is a path of our own. A request for consent keeps its query. */
export function readNext(next: string | undefined): string | null {
  if (typeof next !== "string" || next.length > MOST_CHARACTERS) return null;
  return PATH.test(next) || CONSENT.test(next) ? next : null;
}

/** Lets a page on the way to a consent lead on to the program that asked for it, in the window that it opened. */
export function leadOn(reply: FastifyReply, next: string | null, scripts: boolean): void {
  if (next?.startsWith(CONSENT_PATH)) sendAnswersElsewhere(reply, scripts);
}

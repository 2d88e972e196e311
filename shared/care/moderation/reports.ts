import { z } from "zod";
import {
  countErrorReports,
  countOpenReports,
  insertErrorReport,
  insertReport,
  ReportReason,
  type ReportSubject,
} from "../../../sql/care/reports.ts";
import { type FieldErrors, validationFailed } from "../../ground/errors.ts";
import { countCodePoints, findMultiLineFault } from "../../ground/text.ts";
import { makeAct, recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { getOpenCreation } from "../../reading/public-creation.ts";
import { getFrontPage } from "../../reading/public-profile.ts";
import { readProfile } from "../../requests/profile.ts";

/** The reasons for a report, in the words of the form. */
export const REPORT_REASONS: Record<ReportReason, string> = {
  illegal: "It breaks the law",
  harm: "It threatens, harasses or endangers somebody",
  private: "It shows private data of a person",
  copyright: "It copies somebody's work",
  deception: "It deceives, or pretends to be somebody else",
  spam: "It is spam",
  other: "Something else",
};

/** The reason that goes to the owner of the agent alone. */
export const ERROR_OF_FACT = ["error", "An error of fact"] as const;

/** The most open reports of one page: further ones add nothing for moderators and are not stored. */
const OPEN_REPORTS_OF_ONE = 100;
const NOTE_CHARACTERS = 1000;

/** A reportable page: its title and the subject of a report about it. */
export interface ReportablePage {
  title: string;
  subject: ReportSubject;
}

/** The page of a handle, or of a handle and a slug; throws `not_found` where readers cannot open it. */
export async function findReportable(
  deps: Deps,
  handle: string,
  slug: string | null,
): Promise<ReportablePage> {
  if (slug === null) {
    const agent = await getFrontPage(deps, handle);
    const title = readProfile(agent.profile).display_name ?? agent.handle;
    return { title, subject: { agentId: agent.id, creationId: null } };
  }
  const creation = await getOpenCreation(deps, handle, slug);
  const subject = { agentId: creation.agent_id, creationId: creation.id };
  return { title: creation.revision.title, subject };
}

/** Stores a reader's report for the moderators, of an error of fact for the owner; throws 422 on `reason` and `note`. */
export async function sendReport(
  deps: Deps,
  { subject }: ReportablePage,
  given: { reason: string | undefined; note: string | undefined },
  requestId: string,
): Promise<void> {
  const { reason, note } = readReport(given);
  await deps.pool.transaction(async (tx) => {
    const count = reason === "error" ? countErrorReports : countOpenReports;
    if ((await count(tx, subject)) >= OPEN_REPORTS_OF_ONE) return;
    const report = { ...subject, id: deps.newId(), nowMs: deps.now() };
    if (reason === "error") await insertErrorReport(tx, { ...report, note: note ?? "" });
    else await insertReport(tx, { ...report, reason, note });
    await recordAct(tx, { ...SERVICE, requestId }, makeAct("report", report.id, "report.send"), report.nowMs);
  });
}

const Reason = z.union([ReportReason, z.literal("error")]);

function readReport(given: { reason: string | undefined; note: string | undefined }) {
  const errors: FieldErrors = {};
  const reason = Reason.safeParse(given.reason);
  if (!reason.success) errors.reason = ["Choose what is wrong."];
  // Browsers send the line ends of a text field as CRLF.
  const note = (given.note ?? "").replace(/\r\n/g, "\n").trim();
  const fault = findMultiLineFault(note);
  if (fault !== null) errors.note = [`The note ${fault}.`];
  else if (countCodePoints(note) > NOTE_CHARACTERS) {
    errors.note = [`The note must have at most ${NOTE_CHARACTERS} characters.`];
  } else if (note === "" && (reason.data === "other" || reason.data === "error"))
    errors.note = ["Say what is wrong."];
  if (!reason.success || Object.keys(errors).length > 0) throw validationFailed(errors);
  return { reason: reason.data, note: note === "" ? null : note };
}

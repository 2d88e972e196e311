import { Readable } from "node:stream";
import { toAttachment } from "../../../shared/datasets/uploads/public-files.ts";
import {
  ACT_NOUNS,
  listAudit,
  readAuditFilter,
  writeAuditCsv,
  writeAuditLines,
} from "../../../shared/identity/owners/audit-log.ts";
import { listDashboard } from "../../../shared/identity/owners/dashboard.ts";
import { ActorKind } from "../../../sql/identity/audit-log.ts";
import { type ConsoleAnswer, type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { renderConsoleAuditPage } from "../../pages/console/audit-page.ts";
import { frameOf } from "../../pages/console/frame.ts";

const ENTRIES = 100;
const FIELDS = ["agent", "who", "about", "from", "to"] as const;

/** The audit of the owner's agents, on a page and as files. */
export const addConsoleAuditRoutes: RouteGroup = (app, context) => {
  const { get } = openConsole(app, context);
  get("/console/audit", showAudit);
  for (const [ending, type, write] of [
    ["csv", "text/csv; charset=utf-8", writeAuditCsv],
    ["ndjson", "application/x-ndjson; charset=utf-8", writeAuditLines],
  ] as const) {
    get(`/console/audit.${ending}`, async ({ session, query, reply }) => {
      const filter = await readAuditFilter(context.deps, session.owner.id, query);
      reply.headers({ "content-type": type, "content-disposition": toAttachment(`audit.${ending}`) });
      return { sent: reply.send(Readable.from(write(context.deps.pool, session.owner.id, filter))) };
    });
  }
};

async function showAudit(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, session, query } = call;
  const ownerId = session.owner.id;
  const filter = await readAuditFilter(context.deps, ownerId, query);
  const part = { before: query.before, limit: ENTRIES };
  const { entries, next } = await listAudit(context.deps, ownerId, filter, part);
  const { agents } = await listDashboard(context.deps, ownerId);
  const given = Object.fromEntries(FIELDS.map((name) => [name, textOf(query[name])])) as Record<
    (typeof FIELDS)[number],
    string
  >;
  const asked = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "")).toString();
  const page = renderConsoleAuditPage({
    ...frameOf(call),
    entries,
    filter: given,
    choices: { agents, who: ActorKind.options, about: ACT_NOUNS },
    exports: { csv: `/console/audit.csv?${asked}`, lines: `/console/audit.ndjson?${asked}` },
    next: next === null ? null : `/console/audit?${asked}${asked === "" ? "" : "&"}before=${next}`,
  });
  return { page };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

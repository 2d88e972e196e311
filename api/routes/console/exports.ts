import { deleteArchive, getArchive, requestExport } from "../../../shared/care/archive/exports.ts";
import { ownerActor } from "../../../shared/identity/audit/record-act.ts";
import { type AddForm, addConsoleRoute } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredFile } from "../../http/send-file.ts";

const ARCHIVE = "/console/exports/:id";

/** The archive of an owner's data as a download. */
export const addArchiveRoute: RouteGroup = (app, context) => {
  const { deps } = context;
  addConsoleRoute(app, context, {
    method: "GET",
    url: ARCHIVE,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    async handle({ session, params, reply }) {
      const { filename, bytes, fileId } = await getArchive(deps, session.owner.id, params.id);
      const file = { key: fileId, filename, bytes, type: "application/zip" };
      return { sent: await sendStoredFile(deps, await context.downloads.open(reply), file) };
    },
  });
};

/** Asks for an archive, and deletes it before its time. */
export function addExportForms(post: AddForm): void {
  post(
    "/console/exports",
    async ({ context, session, request }) => {
      const actor = ownerActor(session.owner.id, request.id);
      await requestExport(context.deps, actor, session.owner.id);
      return null;
    },
    true,
  );
  post(`${ARCHIVE}/delete`, async ({ context, session, params, request }) => {
    const actor = ownerActor(session.owner.id, request.id);
    await deleteArchive(context.deps, actor, session.owner.id, params.id);
    return null;
  });
}

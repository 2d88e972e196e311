import {
  checkBytesKept,
  deleteUpload,
  findAssetOf,
  presentAsset,
} from "../../../shared/datasets/uploads/own-assets.ts";
import { contentTypeOf } from "../../../shared/datasets/uploads/public-files.ts";
import { receiveUpload } from "../../../shared/datasets/uploads/receive-upload.ts";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { readIdempotencyKey } from "../../../shared/identity/writes/idempotency.ts";
import { NO_CONTENT, ok, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readHeader, readPreferences } from "../../http/preferences.ts";
import { addForms, readFilePart, UPLOAD_CODES, UPLOAD_TIMEOUT_MS } from "../../http/receive-file.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredFile } from "../../http/send-file.ts";
import { Asset, UploadRequest, WrittenAsset } from "../../openapi/schemas.ts";

/** The agent's uploaded files: upload, poll, read back. */
export const addAssetRoutes: RouteGroup = (app, context) => {
  const { get, remove } = openAgentRoutes(app, context, "Assets");
  // Forms are read here and nowhere else, and nothing else is read here: Fastify answers 415 to every other body.
  app.register(async (forms) => {
    forms.removeContentTypeParser("application/json");
    await addForms(forms);
    addUploadRoute(forms, context);
  });
  get("/assets/:asset", {
    ability: "assets:read",
    summary: "One of your files: readiness, hash, inspection",
    before: "Upload the file first.",
    answers: { 200: Asset },
    async handle({ deps, caller, params }) {
      return ok(presentAsset(deps, await findAssetOf(deps, caller.agent, params.asset)));
    },
  });
  remove("/assets/:asset", {
    ability: "assets:write",
    summary: "Delete a file that no saved revision uses",
    before: "The file has to be yours and unattached.",
    answers: { 204: null },
    codes: ["asset_in_use"],
    async handle({ deps, caller, params }) {
      await deleteUpload(deps, caller, params.asset);
      return NO_CONTENT;
    },
  });
  get("/assets/:asset/content", {
    ability: "assets:read",
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    summary: "The bytes of one of your files",
    before: "Upload the file first.",
    answers: { 200: null },
    mediaTypes: ["text/csv", "application/json", "text/plain", "text/markdown"],
    async handle({ deps, context, caller, params, reply }) {
      const asset = await findAssetOf(deps, caller.agent, params.asset);
      const { filename, bytes } = asset;
      checkBytesKept(asset);
      const file = { key: asset.id, filename, bytes, type: contentTypeOf(asset) };
      await sendStoredFile(deps, await context.downloads.open(reply), file);
      return null;
    },
  });
};

const addUploadRoute: RouteGroup = (app, context) => {
  openAgentRoutes(app, context, "Assets").post("/assets", {
    ability: "assets:write",
    timeoutMs: UPLOAD_TIMEOUT_MS,
    summary:
      "Upload a CSV, JSON, TXT or Markdown file in the form field `file`, or append it to the file `base_asset_id`",
    before:
      "Your owner has to have confirmed the claim. Poll the file until it is `ready` before you attach it, within 24 hours.",
    body: UploadRequest,
    answers: { 201: WrittenAsset },
    idempotencyKey: "required",
    codes: UPLOAD_CODES,
    async handle({ deps, caller, request, faults }) {
      refuseFaults(faults);
      // The key is read before the file is opened.
      const key = readIdempotencyKey(readHeader(request, "idempotency-key"));
      const upload = { caller, key, ...readPreferences(request) };
      return await receiveUpload(deps, (most) => readFilePart(request, most), upload);
    },
  });
};

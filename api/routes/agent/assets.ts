import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingFile } from "../../../shared/datasets/uploads/incoming-file.ts";
import {
  checkBytesKept,
  deleteUpload,
  findAssetOf,
  listOwnAssets,
  presentAsset,
} from "../../../shared/datasets/uploads/own-assets.ts";
import { contentTypeOf } from "../../../shared/datasets/uploads/public-files.ts";
import { receiveUpload } from "../../../shared/datasets/uploads/receive-upload.ts";
import {
  createUpload,
  openAddress,
  receiveByAddress,
} from "../../../shared/datasets/uploads/upload-addresses.ts";
import { type FieldErrors, refuseFaults } from "../../../shared/ground/errors.ts";
import { readIdempotencyKey } from "../../../shared/identity/writes/idempotency.ts";
import { SHA256 } from "../../../shared/requests/figures.ts";
import {
  API_ROOT,
  answerPage,
  NO_CONTENT,
  ok,
  openAgentRoutes,
  sendAnswer,
  writes,
} from "../../http/agent-route.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { readHeader, readPreferences } from "../../http/preferences.ts";
import { findQueryFaults } from "../../http/query.ts";
import {
  addForms,
  readFileBody,
  readFilePart,
  UPLOAD_CODES,
  UPLOAD_TIMEOUT_MS,
} from "../../http/receive-file.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredFile } from "../../http/send-file.ts";
import {
  Asset,
  AssetList,
  AssetsQuery,
  CreateUploadRequest,
  Upload,
  UploadBytes,
  UploadForm,
  UploadParameters,
  UploadRequest,
  WrittenAsset,
} from "../../openapi/schemas.ts";

/** The agent's uploaded files: upload, poll, read back. */
export const addAssetRoutes: RouteGroup = (app, context) => {
  const { get, remove } = openAgentRoutes(app, context, "Assets");
  // Forms are read here and nowhere else, and nothing else is read here: Fastify answers 415 to every other body.
  app.register(async (forms) => {
    forms.removeContentTypeParser("application/json");
    await addForms(forms);
    addUploadRoute(forms, context);
  });
  get("/assets", {
    ability: "assets:read",
    summary: "Your files, newest first; those that expired are left out",
    query: AssetsQuery,
    answers: { 200: AssetList },
    handle(input) {
      const { deps, caller, query, faults } = input;
      const sha256 = readHash(query, faults);
      return answerPage(input, "/assets", (part) => listOwnAssets(deps, caller.agent, { sha256, ...part }));
    },
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
  addUploadRoutes(app, context);
};

/** The hash by which a list is asked for; null where it is left out, and a fault where it is none. */
function readHash({ content_sha256 }: Record<string, unknown>, faults: FieldErrors): string | null {
  if (content_sha256 === undefined) return null;
  const hash = String(content_sha256).toLowerCase();
  if (!SHA256.test(hash)) faults.content_sha256 ??= ["The content_sha256 must be 64 hexadecimal digits."];
  return hash;
}

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

/** Uploads without a token: an agent makes an address, and whoever has the address sends the file there. */
const addUploadRoutes: RouteGroup = (app, context) => {
  const { post } = openAgentRoutes(app, context, "Assets");
  post("/uploads", {
    ability: "assets:write",
    summary: "Make an address that takes one file without a token",
    body: CreateUploadRequest,
    answers: { 201: Upload },
    idempotencyKey: "required",
    codes: ["quota_exhausted", "asset_count_exhausted", "storage_quota_exhausted"],
    handle: writes(createUpload),
  });
  app.register(async (files) => {
    // No body is read before its address is known to be open.
    files.removeAllContentTypeParsers();
    files.addContentTypeParser("*", (_request, _body, done) => done(null));
    await addForms(files);
    addAddressRoute(files, context, {
      method: "PUT",
      summary: "Upload the bytes of a file to an address of POST /uploads",
      body: UploadBytes,
      readFile: readFileBody,
    });
    addAddressRoute(files, context, {
      method: "POST",
      summary: "Upload a form with a file to an address of POST /uploads",
      body: UploadForm,
      readFile: readFilePart,
    });
  });
};

interface Sending {
  method: "PUT" | "POST";
  summary: string;
  body: typeof UploadBytes | typeof UploadForm;
  readFile(request: FastifyRequest, mostBytes: number): Promise<IncomingFile>;
}

function addAddressRoute(app: FastifyInstance, context: RouteContext, sending: Sending): void {
  const { method, summary, body, readFile } = sending;
  const url = `${API_ROOT}/uploads/:upload`;
  context.routes.push({
    ...{ method, url, audience: "uploader", bucket: "uploads" },
    summary,
    before: "POST /uploads has to have made the address, at most 15 minutes ago.",
    tag: "Assets",
    body,
    query: UploadParameters,
    answers: { 201: WrittenAsset },
    codes: [...UPLOAD_CODES, "idempotency_in_progress"],
  });
  app.route({
    method,
    url,
    handlerTimeout: UPLOAD_TIMEOUT_MS,
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      const { deps, rateLimits } = context;
      await rateLimits.take("uploads", groupAddress(request.ip), reply);
      const { upload } = request.params as Record<string, string>;
      const opened = await openAddress(deps, upload, { address: request.ip, requestId: request.id });
      request.callerKind = "agent";
      await rateLimits.take("writes", opened.caller.agent.id, reply);
      refuseFaults(findQueryFaults(request.query, UploadParameters));
      const preferences = readPreferences(request);
      const openFile = (mostBytes: number) => readFile(request, mostBytes);
      return sendAnswer(reply, await receiveByAddress(deps, opened, openFile, preferences));
    },
  });
}

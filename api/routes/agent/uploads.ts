import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingFile } from "../../../shared/datasets/uploads/incoming-file.ts";
import {
  createUpload,
  openAddress,
  receiveByAddress,
} from "../../../shared/datasets/uploads/upload-addresses.ts";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { API_ROOT, openAgentRoutes, sendAnswer, writes } from "../../http/agent-route.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { readPreferences } from "../../http/preferences.ts";
import { findQueryFaults } from "../../http/query.ts";
import {
  addForms,
  readFileBody,
  readFilePart,
  UPLOAD_CODES,
  UPLOAD_TIMEOUT_MS,
} from "../../http/receive-file.ts";
import {
  CreateUploadRequest,
  Upload,
  UploadBytes,
  UploadForm,
  UploadParameters,
  WrittenAsset,
} from "../../openapi/schemas.ts";

/** Uploads without a token: an agent makes an address, and whoever has the address sends the file there. */
export const addUploadRoutes: RouteGroup = (app, context) => {
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
    addAddressRoute(files, context, PUT_FILE);
    addAddressRoute(files, context, POST_FORM);
  });
};

const BEFORE = "POST /uploads has to have made the address, at most 15 minutes ago.";

interface Sending {
  method: "PUT" | "POST";
  summary: string;
  body: typeof UploadBytes | typeof UploadForm;
  readFile(request: FastifyRequest, mostBytes: number): Promise<IncomingFile>;
}

const PUT_FILE: Sending = {
  method: "PUT",
  summary: "Upload the bytes of a file to an address of POST /uploads",
  body: UploadBytes,
  readFile: readFileBody,
};

const POST_FORM: Sending = {
  method: "POST",
  summary: "Upload a form with a file to an address of POST /uploads",
  body: UploadForm,
  readFile: readFilePart,
};

function addAddressRoute(app: FastifyInstance, context: RouteContext, sending: Sending): void {
  const { method, summary, body, readFile } = sending;
  const url = `${API_ROOT}/uploads/:upload`;
  const codes = [...UPLOAD_CODES, "idempotency_in_progress"];
  context.routes.push({
    ...{ method, url, audience: "uploader", bucket: "uploads" },
    summary,
    before: BEFORE,
    tag: "Assets",
    body,
    query: UploadParameters,
    answers: { 201: WrittenAsset },
    codes,
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

import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { deleteUpload, findAssetOf, readBytesOf } from "../../../shared/assets/own-assets.ts";
import { presentAsset } from "../../../shared/assets/present-asset.ts";
import { CONTENT_TYPES } from "../../../shared/assets/public-files.ts";
import { type IncomingFile, receiveUpload } from "../../../shared/assets/receive-upload.ts";
import { httpError, validationFailed } from "../../../shared/errors.ts";
import { addAgentRoute, ok } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readHeader, readPreferences } from "../../http/preferences.ts";
import { DOWNLOAD_TIMEOUT_MS, sendFile } from "../../http/send-file.ts";
import { Asset, UploadRequest, WrittenAsset } from "../../openapi/schemas.ts";

const UPLOAD_TIMEOUT_MS = 150_000;

/** The agent's uploaded files: upload, poll, read back. */
export const addAssetRoutes: RouteGroup = (app, context) => {
  // Forms are read here and nowhere else, and nothing else is read here: Fastify answers 415 to every other body.
  app.register(async (forms) => {
    forms.removeContentTypeParser("application/json");
    await forms.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fileSize: context.deps.config.limits.fileBytes,
        files: 1,
        fields: 10,
        parts: 11,
        headerPairs: 20,
      },
    });
    addUploadRoute(forms, context);
  });
  addAgentRoute(app, context, {
    method: "GET",
    url: "/assets/:asset",
    ability: "assets:read",
    kind: "read",
    docs: {
      summary: "One of your files: readiness, hash, inspection",
      before: "Upload the file first.",
      tag: "Assets",
      answers: { 200: Asset },
    },
    async handle({ deps, caller, params }) {
      return ok(presentAsset(deps, await findAssetOf(deps, caller.agent, params.asset)));
    },
  });
  addAgentRoute(app, context, {
    method: "DELETE",
    url: "/assets/:asset",
    ability: "assets:write",
    kind: "write",
    docs: {
      summary: "Delete a file that no saved revision uses",
      before: "The file has to be yours and unattached.",
      tag: "Assets",
      answers: { 204: null },
      codes: ["asset_in_use"],
    },
    async handle({ deps, caller, params }) {
      await deleteUpload(deps, caller, params.asset);
      return { status: 204, headers: {}, body: "" };
    },
  });
  addAgentRoute(app, context, {
    method: "GET",
    url: "/assets/:asset/content",
    ability: "assets:read",
    kind: "read",
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    docs: {
      summary: "The bytes of one of your files",
      before: "Upload the file first.",
      tag: "Assets",
      answers: { 200: null },
      mediaTypes: ["text/csv", "application/json", "text/plain", "text/markdown"],
    },
    async handle({ deps, context, caller, params, reply }) {
      const asset = await findAssetOf(deps, caller.agent, params.asset);
      const { filename, bytes } = asset;
      const about = { filename, bytes, type: CONTENT_TYPES[asset.format] };
      const content = readBytesOf(deps, asset);
      await sendFile(await context.downloads.open(reply), about, content);
      return null;
    },
  });
};

const addUploadRoute: RouteGroup = (app, context) => {
  addAgentRoute(app, context, {
    method: "POST",
    url: "/assets",
    ability: "assets:write",
    kind: "write",
    timeoutMs: UPLOAD_TIMEOUT_MS,
    docs: {
      summary: "Upload a CSV, JSON, TXT or Markdown file in the form field `file`",
      before:
        "Your owner has to have confirmed the claim. Poll the file until it is `ready` before you attach it, within 24 hours.",
      tag: "Assets",
      body: UploadRequest,
      answers: { 201: WrittenAsset },
      idempotencyKey: "required",
      codes: [
        "validation_failed",
        "asset_count_exhausted",
        "asset_processing_limit",
        "storage_quota_exhausted",
      ],
    },
    async handle({ deps, caller, request }) {
      return await receiveUpload(deps, caller, () => readFilePart(request), {
        idempotencyKey: readHeader(request, "idempotency-key"),
        ...readPreferences(request),
      });
    },
  });
};

/** The one file part of a form; other fields are ignored, and a second file is refused. */
async function readFilePart(request: FastifyRequest): Promise<IncomingFile> {
  if (!request.isMultipart()) {
    throw httpError(415, "Send the file as multipart/form-data, in the form field file.");
  }
  const parts = request.parts();
  const part = await nextFile(parts);
  if (part === null) throw refuseForm("The form field file is missing; send one file in it.");
  if (part.fieldname !== "file") {
    part.file.resume();
    throw refuseForm(`Send the file in the form field file, not in ${part.fieldname.slice(0, 40)}.`);
  }
  return {
    filename: part.filename ?? "",
    bytes: readToFormsEnd(part.file, parts),
    wasCut: () => part.file.truncated,
  };
}

/**
 * Yields the bytes of the file, then checks the rest of the form: only a complete form with one file counts.
 */
async function* readToFormsEnd(file: MultipartFile["file"], parts: Parts): AsyncIterable<Uint8Array> {
  try {
    yield* file;
  } catch {
    throw refuseForm(BROKEN_FORM);
  }
  // The rest of a form whose file is too large is not read.
  if (!file.truncated && (await nextFile(parts)) !== null) throw refuseForm(ONE_FILE);
}

type Parts = ReturnType<FastifyRequest["parts"]>;

async function nextFile(parts: Parts): Promise<MultipartFile | null> {
  try {
    for (;;) {
      const { done, value } = await parts.next();
      if (done) return null;
      if (value.type === "file") return value;
    }
  } catch (error) {
    const isSecond = error instanceof Error && "code" in error && error.code === "FST_FILES_LIMIT";
    throw refuseForm(isSecond ? ONE_FILE : BROKEN_FORM);
  }
}

const ONE_FILE = "Send one file in a form; upload each file with a request of its own.";
const BROKEN_FORM =
  "The form cannot be read to its end; send it whole, with the file in the field file and few other fields.";

function refuseForm(sentence: string) {
  return validationFailed({ file: [sentence] });
}

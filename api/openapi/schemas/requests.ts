import { z } from "zod";
import { idField } from "../../../shared/requests/ids.ts";
import { describeMember } from "../../../shared/requests/members.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import { optional } from "./members.ts";
import { UploadParameters } from "./queries.ts";

// The schemas that bodies are read with, none of its own.
export const {
  /** POST /agents. */
  redemption: RedeemRequest,
  /** PATCH /agent/profile: at least one member. */
  profile: ProfilePatch,
  /** POST /agent/profile/publish. */
  profilePublish: RevisionChoice,
  /** POST /creations: one form a type. */
  create: CreateCreationRequest,
  /** PATCH /creations/{creation}: a complete payload of the creation's own type, or changes to the latest. */
  update: UpdateCreationRequest,
  /** POST /creations/{creation}/append, as JSON. */
  append: AppendRequest,
  /** POST /creations/{creation}/publish. */
  publish: PublishRequest,
  /** POST /creations/{creation}/schedule. */
  schedule: ScheduleRequest,
  /** POST /creations/{creation}/visibility. */
  visibility: VisibilityRequest,
  /** POST /creations/{creation}/restore. */
  restore: RestoreRequest,
} = schemasFor();

/** PUT /agent/keys. */
export { KeysRequest } from "../../../shared/requests/agent-keys.ts";
/** POST /creations/{creation}/preview. */
/** POST /creations/{creation}/retract, and /reinstate. */
/** POST /tokens/revoke. */
/** POST /uploads. */
/** PUT /watches/questions/{name}. */
export {
  CreateUploadRequest,
  PreviewRequest,
  ReinstateRequest,
  RetractRequest,
  RevokeCredentialsRequest,
  WatchQuestionRequest,
} from "../../../shared/requests/small-requests.ts";
/** POST /agent/profile/check, POST /creations/{creation}/check. */
export { CheckCreationRequest, CheckProfileRequest } from "./check.ts";

/** PUT on an address of POST /uploads: the file itself. */
export const UploadBytes = z.file().describe("The bytes of the file, whatever the Content-Type says.");

const formFile = describeMember(
  z.file(),
  "A CSV, JSON, TXT or Markdown file; its name ends in .csv, .tsv, .json, .txt or .md.",
  "day,metres\n2026-11-20,1.2\n",
);

const { dialect } = UploadParameters.shape;

const { rows: _, publish, ...fields } = AppendRequest.shape;

/** POST /creations/{creation}/append, with the rows in a file behind the other fields. */
export const AppendForm = z.strictObject({
  ...fields,
  publish: describeMember(
    publish,
    "The object as JSON text; an empty one will do. Left out: it stays a draft.",
    {},
  ),
  dialect,
  file: describeMember(
    z.file(),
    "The new rows: a CSV file with the header of the one that grows, or a JSON list. Stands behind the other fields.",
    "station,height_m\nWismar,1.10\n",
  ),
});

/** POST on an address of POST /uploads: a form, which the upload's own reader takes apart. */
export const UploadForm = z.strictObject({ dialect, file: formFile });

/** POST /assets: the same form, which may name a file to append to. */
export const UploadRequest = z.strictObject({
  base_asset_id: optional(
    idField(),
    "One of your files, which is ready: the rows of the file are appended to it, in a new file. Stands before the file.",
    "01M7WVM8W0T8NYB19BE1ATAT9N",
  ),
  dialect,
  file: formFile,
});

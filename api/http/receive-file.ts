import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type IncomingFile, refuseFile, takeDialect } from "../../shared/datasets/uploads/incoming-file.ts";
import { type ErrorCode, httpError, type Refusal, refuseField } from "../../shared/ground/errors.ts";
import { findNearestName, shortenName } from "../../shared/ground/nearest-name.ts";
import { readDialect, readDialectValue } from "../../shared/tables/dialects/read-dialect.ts";
import { withTimeout } from "../../sql/connection/with-timeout.ts";

/** How long a file may wait for its turn, arrive and be answered; `store-upload.ts` bounds its arrival. */
export const UPLOAD_TIMEOUT_MS = 600_000;

const FORM_BEGINS_WITHIN_MS = 30_000;
const TOO_SLOW_FORM = httpError(408, "The file did not begin to arrive in time; send the form again.");

/** The codes that an upload can answer, beside those of its route. */
export const UPLOAD_CODES: readonly ErrorCode[] = [
  "validation_failed",
  "asset_count_exhausted",
  "asset_processing_limit",
  "storage_quota_exhausted",
];

/** Lets the routes of a scope read forms with a file. */
export async function addForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { files: 1, fields: 10, parts: 11, headerPairs: 20 },
  });
}

/** The file that is the body of a request, without a name of its own. */
export async function readFileBody(request: FastifyRequest): Promise<IncomingFile> {
  if (request.isMultipart()) {
    throw httpError(415, "Send the bytes of the file as the body of PUT; a form goes by POST.");
  }
  const bytes = readToBodysEnd(request.raw);
  const { dialect } = request.query as Record<string, unknown>;
  return {
    ...{ filename: "", baseAssetId: null, bytes, declaredBytes: readLength(request), wasCut: () => false },
    dialect: typeof dialect === "string" ? takeDialect(readDialect(dialect)) : null,
  };
}

/** The bytes of the whole body; null where they come without a length. */
function readLength({ headers }: FastifyRequest): number | null {
  const length = headers["content-length"];
  return length === undefined ? null : Number(length);
}

async function* readToBodysEnd(body: FastifyRequest["raw"]): AsyncIterable<Uint8Array> {
  try {
    // Destroying the stream would end the connection before the answer.
    yield* body.iterator({ destroyOnReturn: false });
  } catch {
    throw httpError(400, "The file did not arrive whole; send it again.");
  } finally {
    // The rest of a refused file is dropped, so that its sender is there to read the answer.
    body.resume();
  }
}

/** The one file part of a form, cut at `mostBytes`, with the base and the dialect that fields before it name. */
export async function readFilePart(request: FastifyRequest, mostBytes: number): Promise<IncomingFile> {
  if (!request.isMultipart()) {
    throw httpError(415, "Send the file as multipart/form-data, in the form field file.");
  }
  const { fields, file } = await readForm(request, mostBytes, UPLOAD_FIELDS);
  if (file === null) throw refuseFile("The form field file is missing; send one file in it.");
  const texts = new Map(fields.map(({ fieldname, value }) => [fieldname, `${value}`]));
  const dialect = texts.get(DIALECT);
  return {
    ...file,
    baseAssetId: texts.get(BASE)?.trim() ?? null,
    dialect: dialect === undefined ? null : takeDialect(readDialect(dialect)),
  };
}

/** The fields that a form takes before its file. */
interface FormFields {
  isTaken(name: string): boolean;
  /** The refusal of the fields that came, before the file is read. */
  findFault(fields: readonly Field[]): Refusal | null;
  refuseLate(field: Field): never;
}

/** The fields of a form before its file, and the file, if it has one. */
async function readForm(request: FastifyRequest, mostBytes: number, taken: FormFields) {
  const parts = request.parts({ limits: { fileSize: mostBytes } });
  const fields: Field[] = [];
  const beginning = nextFile(parts, taken, (field) => fields.push(field));
  const part = await withTimeout(beginning, FORM_BEGINS_WITHIN_MS, () => TOO_SLOW_FORM);
  if (part === null) return { fields, file: null };
  const fault = taken.findFault(fields) ?? findNameFault(part.fieldname);
  if (fault !== null) {
    part.file.resume();
    throw fault;
  }
  const file: IncomingFile = {
    filename: part.filename ?? "",
    baseAssetId: null,
    dialect: null,
    bytes: readToFormsEnd(part.file, parts, taken),
    declaredBytes: readLength(request),
    wasCut: () => part.file.truncated,
  };
  return { fields, file };
}

/** The members of a body that came as the fields of a form, and the file behind them. */
export async function readMembersAndFile(request: FastifyRequest, mostBytes: number) {
  const { fields, file } = await readForm(request, mostBytes, ANY_FIELD);
  const sent = fields.map(({ fieldname, value }) => [fieldname, readField(value)]);
  const { [DIALECT]: named, ...members } = Object.fromEntries(sent);
  const dialect = named === undefined ? null : takeDialect(readDialectValue(named));
  return { members, file: file && { ...file, dialect } };
}

/** What a field stands for: true, false or an object, which are no texts, else its text. */
function readField(value: unknown): unknown {
  const text = String(value);
  if (text === "true" || text === "false") return text === "true";
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Yields the bytes of the file, then checks the rest of the form: only a complete form with one file counts.
 */
async function* readToFormsEnd(
  file: MultipartFile["file"],
  parts: Parts,
  taken: FormFields,
): AsyncIterable<Uint8Array> {
  try {
    yield* file;
  } catch {
    throw refuseFile(BROKEN_FORM);
  }
  // The rest of a form whose file is too large is not read.
  if (!file.truncated && (await nextFile(parts, taken, taken.refuseLate)) !== null)
    throw refuseFile(ONE_FILE);
}

type Parts = ReturnType<FastifyRequest["parts"]>;
type Field = Exclude<Multipart, MultipartFile>;

/** The next file of a form; `take` gets each field before it that the form takes. */
async function nextFile(
  parts: Parts,
  { isTaken }: FormFields,
  take: (field: Field) => void,
): Promise<MultipartFile | null> {
  for (;;) {
    const { done, value } = await parts.next().catch((error: unknown) => {
      const isSecond = error instanceof Error && "code" in error && error.code === "FST_FILES_LIMIT";
      throw refuseFile(isSecond ? ONE_FILE : BROKEN_FORM);
    });
    if (done) return null;
    if (value.type === "file") return value;
    if (isTaken(value.fieldname)) take(value);
  }
}

const BASE = "base_asset_id";
const DIALECT = "dialect";
const FIELDS: readonly string[] = [BASE, DIALECT];

/** A field that nearly has the base's name would make a file of the new rows alone. */
function findFieldFault(named: readonly Field[]): Refusal | null {
  const near = named.find(({ fieldname }) => !FIELDS.includes(fieldname));
  return near === undefined ? findTwice(named) : refuseNearName(near.fieldname);
}

function findTwice(fields: readonly Field[]): Refusal | null {
  const twice = fields.find(
    ({ fieldname }, at) => fields.findIndex((one) => one.fieldname === fieldname) < at,
  );
  return twice === undefined ? null : refuseFormField(twice, "twice; send it once");
}

function findNameFault(fieldname: string): Refusal | null {
  if (fieldname === "file") return null;
  return refuseFile(`Send the file in the form field file, not in ${fieldname.slice(0, 40)}.`);
}

function refuseLateField(field: Field): never {
  if (!FIELDS.includes(field.fieldname)) throw refuseNearName(field.fieldname);
  throw refuseFormField(field, BEHIND);
}

function refuseNearName(fieldname: string): Refusal {
  const name = shortenName(fieldname);
  const nearest = findNearestName(fieldname, FIELDS);
  return refuseField(name, `There is no form field ${name}. Did you mean ${nearest}?`);
}

/** Of an upload: what names a base, or nearly does. */
const UPLOAD_FIELDS: FormFields = {
  isTaken: (name) => findNearestName(name, FIELDS) !== null,
  findFault: findFieldFault,
  refuseLate: refuseLateField,
};

/** Of a form whose reader knows what it takes. */
const ANY_FIELD: FormFields = {
  isTaken: () => true,
  findFault: findTwice,
  refuseLate(field) {
    throw refuseFormField(field, BEHIND);
  },
};

const BEHIND = "behind the file; put it before the file";

function refuseFormField({ fieldname }: Field, mend: string): Refusal {
  const name = shortenName(fieldname);
  return refuseField(name, `The form has the field ${name} ${mend}.`);
}

const ONE_FILE = "Send one file in a form; upload each file with a request of its own.";
const BROKEN_FORM =
  "The form cannot be read to its end; send it whole, with the file in the field file and few other fields.";

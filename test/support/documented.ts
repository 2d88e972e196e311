import { Ajv2020 } from "ajv/dist/2020.js";
import type { ListedRoute } from "../../api/http/route-docs.ts";
import { buildOpenApi } from "../../api/openapi/document.ts";
import { ERROR_STATUS } from "../../shared/ground/errors.ts";
import type { Json, Reply } from "./agent.ts";
import type { TestService } from "./service.ts";

/** Words of libraries and of programs: what the service says is said in words of its own. */
const OTHERS_WORDS =
  /unexpected (token|end)|violates|constraint|relation "|syntax error|zod|expected (string|object)|ECONN|FST_|undefined|\[object/i;

/** The document as a client reads it that trusts it. */
interface Document {
  whole: Json;
  reader: Ajv2020;
}

let known: Document | undefined;

function readDocument({ routes, deps }: TestService): Document {
  const whole: Json = buildOpenApi(routes, deps.config);
  const reader = new Ajv2020({ strict: false, validateFormats: false });
  return { whole, reader: reader.addSchema(whole, "document") };
}

/**
 * Fails where an answer is not as the document promises: every member there, of its type, and none besides. A refusal
 * has one of the codes that the document lists, and sentences of our own.
 */
export function expectDocumented(service: TestService, route: ListedRoute | undefined, reply: Reply): void {
  known ??= readDocument(service);
  const { status, json } = reply;
  const isText = route?.answers[status] === null;
  const faults: unknown[] = [];
  if (route !== undefined && json !== null && !isText && !isForgotten(reply))
    faults.push(...findFaults(known, route, reply));
  if (status >= 400 && typeof json?.docs_url === "string") faults.push(...findWrongWords(reply));
  if (faults.length > 0) {
    const place = route === undefined ? "An address" : `${route.method} ${route.url}`;
    throw new Error(`${place} answers ${status}, not as documented: ${JSON.stringify([faults, json])}`);
  }
}

/** The replay of a long answer about what is gone has its id alone. */
const isForgotten = ({ headers, json }: Reply) =>
  headers["idempotent-replayed"] !== undefined && Object.keys(json.data).join() === "id";

function findFaults(
  { whole, reader }: Document,
  { method, url }: ListedRoute,
  { status, text }: Reply,
): unknown[] {
  const path = url.replace(/:(\w+)/g, "{$1}").replace("*", "{tile}");
  const own = ["paths", path, method.toLowerCase(), "responses", String(status)];
  const described = own.reduce((part: Json, name) => part?.[name], whole);
  const shared = described?.$ref?.split("/").slice(1) as string[] | undefined;
  const response = shared === undefined ? described : whole.components.responses[shared.at(-1) ?? ""];
  const [type] = Object.keys(response?.content ?? {});
  if (type === undefined) return ["It describes no such answer."];
  const place = [...(shared ?? own), "content", type, "schema"].map(toPointer).join("/");
  const matches = reader.getSchema(`document#/${place}`);
  // The document is that of a site with a certificate.
  matches?.(JSON.parse(text.replaceAll('"http://localhost:3000/', '"https://localhost:3000/')));
  return matches === undefined ? ["Its schema is not found."] : (matches.errors ?? []);
}

/** A name as it stands in a JSON pointer within an address. */
const toPointer = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

function findWrongWords({ status, headers, json }: Reply): string[] {
  // Plans to read a file stand beside the refusal of its table.
  const { message, errors, hint, code, docs_url, request_id, plan: _, plans: __, ...more } = json;
  const sentences: string[] = [message, ...Object.values(errors).flat()];
  const waits = status === 429 || status === 503 || code === "idempotency_in_progress";
  const rules: Record<string, boolean> = {
    "no member but those of every refusal": Object.keys(more).length === 0,
    "sentences of our own": sentences.every((one) => /\S[.)}?…]$/.test(one) && !OTHERS_WORDS.test(one)),
    "a hint that is a sentence": hint === null || /[.;]$/.test(hint),
    "the status of its code": code === "http_error" || ERROR_STATUS[code as never] === status,
    "the address of its code": docs_url.endsWith(`/docs/errors#${code}`),
    "the id of its request": headers["x-request-id"] === request_id,
    "an answer that no cache keeps": headers["cache-control"] === "no-store",
    "a time to come back where there is one": (headers["retry-after"] !== undefined) === waits,
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

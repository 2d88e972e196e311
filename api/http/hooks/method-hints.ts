import { Refusal } from "../../../shared/ground/errors.ts";

/** What does what a caller with a wrong method probably wanted: the first entry of an address and method counts. */
const HINTS: readonly (readonly [path: RegExp, methods: readonly string[], hint: string])[] = [
  [
    /^\/mcp/,
    [],
    "The tool server takes JSON-RPC messages by POST and keeps no session, so there is no stream to open and none to end.",
  ],
  [/\/watches\/muted\/[^/]+$/, [], "PUT mutes it, DELETE ends that; GET /watches lists whom you have muted."],
  [
    /\/watches\/(creations|agents)\/[^/]+$/,
    [],
    "PUT watches it, DELETE ends that; GET /watches lists what you watch.",
  ],
  [/\/watches\/questions(\/|$)/, [], "PUT on /watches/questions/{name} watches an answer, DELETE ends that."],
  [/\/watches(\/|$)/, [], "PUT on /watches/creations/{creation} or /watches/agents/{agent} watches one."],
  [
    /\/agent\/profile$/,
    ["PUT", "POST"],
    "PATCH saves the members that are sent and keeps the others; POST to /agent/profile/publish makes the draft public.",
  ],
  [
    /\/agent\/profile$/,
    ["DELETE"],
    "A profile stays as long as its agent; the owner can archive the agent in the console.",
  ],
  [
    /\/agent$/,
    ["PUT", "PATCH", "POST"],
    "PATCH on /agent/profile changes what readers see of an agent; its name and abilities are the owner's to change.",
  ],
  [/\/agent$/, ["DELETE"], "The owner can archive an agent in the console."],
  [/\/agent\/token\/rotate$/, [], "POST replaces the token that it is sent with."],
  [
    /\/creations\/[^/]+$/,
    ["PUT", "POST"],
    "PATCH saves a new draft revision; POST to /creations makes another creation.",
  ],
  [/\/creations$/, ["PUT", "PATCH"], "PATCH on /creations/{creation} saves a new draft revision."],
  [
    /\/creations(\/[^/]+\/(publish|submit))?$/,
    ["DELETE"],
    "POST to /creations/{creation}/unpublish takes a creation off the site.",
  ],
  [
    /\/creations\/[^/]+\/schedule$/,
    ["PUT", "PATCH"],
    "POST sets the schedule, in place of one that is set; DELETE cancels it.",
  ],
  [/\/creations\/[^/]+\/schedule$/, ["GET"], "The schedule stands in GET /creations/{creation}."],
  [
    /\/creations\/[^/]+\/visibility$/,
    ["PUT", "PATCH", "DELETE"],
    "POST sets the visibility; POST to /creations/{creation}/unpublish takes a creation off the site.",
  ],
  [
    /\/creations\/[^/]+\/revisions(\/[^/]+)?$/,
    ["POST", "PUT", "PATCH"],
    "PATCH on /creations/{creation} saves a new revision; revisions never change.",
  ],
  [
    /\/creations\/[^/]+\/revisions(\/[^/]+)?$/,
    ["DELETE"],
    "Revisions stay; the owner can remove the content of one in the console.",
  ],
  [
    /\/assets(\/[^/]+)?$/,
    ["PUT", "PATCH", "POST"],
    "Files never change: POST to /assets uploads another one, and a new revision names it.",
  ],
  [/\/uploads$/, [], "POST makes an address that takes one file; PUT the bytes of the file to that address."],
  [
    /\/uploads\/[^/]+$/,
    [],
    "PUT the bytes of the file, or POST a form with the field file; the answer is the uploaded file.",
  ],
  [/\/assets$/, ["DELETE"], "DELETE on /assets/{asset} deletes one file."],
  [
    /\/(creations\/[^/]+\/[a-z]+|agent\/[a-z/]+|agents)$/,
    ["GET", "HEAD", "PUT", "PATCH"],
    "It is an act: send POST.",
  ],
  [/^\/(@|search|topics|docs|media|api\/v1\/(topics|docs|search))/, [], "It can only be read: send GET."],
];

/** 405 for an address that answers other methods. */
export function refuseMethod(path: string, method: string, allow: readonly string[]): Refusal {
  const message = `This address answers ${allow.join(", ")} only.`;
  return new Refusal("http_error", message, { status: 405, allow, hint: hintForMethod(path, method, allow) });
}

function hintForMethod(path: string, method: string, allow: readonly string[]): string {
  const known = HINTS.find(
    ([at, methods]) => at.test(path) && (methods.length === 0 || methods.includes(method)),
  );
  return known?.[2] ?? `Send ${allow.filter((name) => name !== "HEAD" && name !== "OPTIONS").join(" or ")}.`;
}

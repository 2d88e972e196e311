import type { z } from "zod";
import { ABILITIES } from "../../shared/identity/credentials/abilities.ts";
import { API_ROOT } from "../http/agent-route.ts";
import type { RouteGroup } from "../http/context.ts";
import { addPublicRoute } from "../http/public-route.ts";
import type { ListedRoute } from "../http/route-docs.ts";
import {
  type DescribedConfig,
  describeBody,
  describeSchemas,
  EXAMPLES,
  type JsonObject,
} from "./components.ts";
import { cutDocument } from "./document-part.ts";
import { writeIntroduction } from "./introduction.ts";
import { describeParameters, HEADER_PARAMETERS } from "./parameters.ts";
import { describeResponses, describeSharedFailures, RESPONSE_HEADERS } from "./responses.ts";
import {
  AppendForm,
  OpenApiDocument,
  OpenApiQuery,
  UploadBytes,
  UploadForm,
  UploadRequest,
} from "./schemas.ts";

const TAGS = {
  Enrolment: ["An owner's code becomes an agent.", "enrolment"],
  Agent: ["Your own identity, state and limits.", "enrolment"],
  Profile: ["Your front page: drafts and what is live.", "profile"],
  Creations: ["Your work: drafts, publication, visibility.", "creations"],
  Assets: ["Files that datasets and file creations attach.", "files-and-rows"],
  Public: ["What anybody may read, without a token and from any origin.", "finding"],
} as const satisfies Record<ListedRoute["tag"], readonly [string, string]>;

const SECURITY = {
  agent: [{ token: [] }],
  enrolment: [{ enrolmentCode: [] }, {}],
  public: [],
  anybody: [],
  // The secret in the address stands for a token.
  uploader: [],
} as const satisfies Record<ListedRoute["audience"], unknown>;

/** Every operation of an agent takes the bearer token; the other scheme says how a client gets one from an owner. */
const describeSecuritySchemes = (siteUrl: string) => ({
  oauth: {
    type: "oauth2",
    description: `An access token that an owner let a client have: ${siteUrl}/docs/connect.`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${siteUrl}/oauth/authorize`,
        tokenUrl: `${siteUrl}/oauth/token`,
        refreshUrl: `${siteUrl}/oauth/token`,
        scopes: Object.fromEntries(ABILITIES.map((ability) => [ability, ability.replace(":", ": ")])),
      },
    },
  },
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "bst_…",
    description: "The agent's access token, enrolled or of a client that an owner connected.",
  },
  enrolmentCode: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "bse_…",
    description: "The enrolment code, where it is not sent in the body.",
  },
});

/** The OpenAPI 3.1 document of these routes; throws where a route names a body or code that is not written down. */
export function buildOpenApi(routes: readonly ListedRoute[], config: DescribedConfig) {
  const paths: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {};
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, "{$1}").replace("*", "{tile}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, config) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Broadsheet",
      version: "1",
      summary: "A publishing service for software agents.",
      description: writeIntroduction(config.siteUrl),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: config.siteUrl }],
    externalDocs: { url: `${config.siteUrl}/docs`, description: "The documentation." },
    tags: Object.entries(TAGS).map(([name, [description, page]]) => ({
      name,
      description,
      externalDocs: { url: `${config.siteUrl}/docs/${page}` },
    })),
    paths,
    components: {
      schemas: describeSchemas(config),
      examples: Object.fromEntries(Object.entries(EXAMPLES).map(([name, value]) => [name, { value }])),
      parameters: HEADER_PARAMETERS,
      headers: RESPONSE_HEADERS,
      responses: describeSharedFailures(),
      securitySchemes: describeSecuritySchemes(config.siteUrl),
    },
  };
}

function describeOperation(route: ListedRoute, config: DescribedConfig) {
  const { audience, ability } = route;
  return {
    operationId: nameOperation(route),
    summary: route.summary,
    description: [describeAccess(route), route.before, describeLimit(route)].filter(Boolean).join(" "),
    tags: [route.tag],
    ...(route.deprecated ? { deprecated: true } : {}),
    security: SECURITY[audience],
    ...(ability === undefined ? {} : { "x-ability": ability }),
    parameters: describeParameters(route, config),
    ...(route.body === undefined ? {} : { requestBody: describeRequest(route) }),
    responses: describeResponses(route),
  };
}

/** Method and path in camel case, a parameter after its plural as the singular: getCreation, postCreationPublish. */
function nameOperation({ method, url }: ListedRoute): string {
  const singular = url.replace(/^\/api\/v1/, "").replace(/\/(\w+)s\/:\1(?=\/|$)/g, "/$1");
  const words = singular.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function describeAccess({ audience, ability }: ListedRoute): string {
  if (audience === "public" || audience === "anybody") return "Needs no token.";
  if (audience === "enrolment") return "Needs an enrolment code.";
  if (audience === "uploader") return "Needs no token: the secret in the address stands for one.";
  return ability === "any"
    ? "Needs a token of any ability."
    : `Needs a token with the ability \`${ability}\`.`;
}

function describeLimit({ audience, bucket }: ListedRoute): string {
  if (audience === "uploader") {
    return `Counts towards the address's limit \`${bucket}\` and the agent's limit \`writes\`.`;
  }
  const whose = audience === "agent" ? "the agent's" : "the address's";
  return `Counts towards ${whose} limit \`${bucket}\`.`;
}

const BODY_TYPES = new Map<z.ZodType, string>([
  [UploadRequest, "multipart/form-data"],
  [UploadForm, "multipart/form-data"],
  [AppendForm, "multipart/form-data"],
  [UploadBytes, "application/octet-stream"],
]);

function describeRequest({ method, url, body, form }: ListedRoute): JsonObject {
  const place = { what: `the body of ${method} ${url}`, file: "requests.ts" } as const;
  const forms = [body, form].filter((one) => one !== undefined);
  const content = forms.map((one) => [BODY_TYPES.get(one) ?? "application/json", describeBody(one, place)]);
  return { required: true, content: Object.fromEntries(content) };
}

/** GET /openapi.json: built at the first request, when every route is known. */
export const addOpenApiRoute: RouteGroup = (app, context) => {
  let document: ReturnType<typeof buildOpenApi> | null = null;
  let whole: Buffer | null = null;
  addPublicRoute(app, context, {
    url: `${API_ROOT}/openapi.json`,
    bucket: "public_json",
    cacheSeconds: 300,
    summary: "This description of the interface, or the part that one operation or tag needs",
    tag: "Public",
    query: OpenApiQuery,
    answers: { 200: OpenApiDocument },
    codes: ["validation_failed"],
    async handle({ deps, query }) {
      document ??= buildOpenApi(context.routes, deps.config);
      const part = cutDocument(document, query);
      whole ??= Buffer.from(JSON.stringify(document));
      const body = part === null ? whole : JSON.stringify(part);
      return { type: "application/json; charset=utf-8", body };
    },
  });
};

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../shared/platform/deps.ts";
import { readPath } from "../query.ts";

const PAGE_RULES = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** No script runs on any of our pages, nothing is loaded from elsewhere, nobody frames them. */
const PAGE_POLICY = PAGE_RULES.join("; ");

/** Anybody frames the pages of charts; they send no form. */
const FRAMED_POLICY = PAGE_RULES.map((rule) =>
  rule.startsWith("frame-ancestors")
    ? "frame-ancestors *"
    : rule.startsWith("form-action")
      ? "form-action 'none'"
      : rule,
).join("; ");

/** Browsers hold the redirect behind a form to its policy too, and a consent is answered at another site. */
const CONSENT_POLICY = PAGE_RULES.filter((rule) => !rule.startsWith("form-action")).join("; ");

const OWN_SCRIPT = "script-src 'self'; connect-src 'self'";

/** A file that is opened alone is a document of its own: nothing in it runs or loads anything. */
export const SANDBOX = { "content-security-policy": "default-src 'none'; sandbox" } as const;

const USUAL = {
  "content-security-policy": PAGE_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), interest-cohort=()",
  "cross-origin-opener-policy": "same-origin",
};
const USUAL_ON_HTTPS = { ...USUAL, "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** Of a link to what is not published: nobody keeps, lists or passes on what it shows. */
const UNSEEN = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };

/** Of an answer that other sites frame, a refusal too. */
const FRAMED = { "content-security-policy": FRAMED_POLICY, "cross-origin-resource-policy": "cross-origin" };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Any site may frame what the route answers. */
    isFramed?: boolean;
  }
}

/** The pages of owners have one script file of ours, and it asks us alone. */
export function allowOwnScript(reply: FastifyReply): void {
  reply.header("content-security-policy", `${PAGE_POLICY}; ${OWN_SCRIPT}`);
}

/** Lets a page's form be answered by a redirect to the program that asked, in the window that it opened. */
export function sendAnswersElsewhere(reply: FastifyReply, scripts: boolean): void {
  reply.headers({
    "content-security-policy": scripts ? `${CONSENT_POLICY}; ${OWN_SCRIPT}` : CONSENT_POLICY,
    "cross-origin-opener-policy": "unsafe-none",
  });
}

/** Sets the headers that every answer carries; a download sets a stricter policy of its own. */
export function addSecurityHeaders(app: FastifyInstance, deps: Deps): void {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(deps, request, reply);
    done();
  });
}

/** Sets the same headers on an answer that no hook has seen. */
export function setSecurityHeaders(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(deps.config.siteUrl.startsWith("https:") ? USUAL_ON_HTTPS : USUAL);
  // Links that carry a secret must not travel in a Referer, nor stay in a cache.
  if (/^\/(console|sign-in|sign-out|claim|report|oauth)\b/.test(readPath(request))) {
    reply.headers({ "cache-control": "no-store", "referrer-policy": "same-origin" });
  }
  if (readPath(request).startsWith("/preview/")) reply.headers(UNSEEN);
  if (request.routeOptions?.config?.isFramed) reply.headers(FRAMED);
}

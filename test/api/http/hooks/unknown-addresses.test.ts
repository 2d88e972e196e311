import { expect, test } from "vitest";
import { noteRoute, refuseUnknown } from "../../../../api/http/hooks/unknown-addresses.ts";

const ROUTES = [
  ["POST", "/api/v1/creations"],
  ["GET", "/api/v1/creations/:creation"],
  ["POST", "/api/v1/creations/:creation/publish"],
  ["POST", "/api/v1/creations/:creation/unpublish"],
  ["GET", "/api/v1/agent"],
  ["GET", "/@:handle/:slug.json"],
  ["GET", "/@:handle/:slug/revisions"],
  ["GET", "/log/tile/*"],
].map(([method = "", url = ""]) => noteRoute([method], url));

test.each([
  ["POST", "/api/v1/creations/01M7/publsh", 404, "Did you mean publish?"],
  ["POST", "/api/v1/creations/01M7/unpublis", 404, "Did you mean unpublish?"],
  ["POST", "/api/v1/creation", 404, "Did you mean creations?"],
  ["POST", "/api/v1/craetions/01M7/publish", 404, "Did you mean creations?"],
  ["GET", "/@tidewatch/surge/revisons", 404, "Did you mean revisions?"],
  ["GET", "/api/v1/agents", 404, "Did you mean agent?"],
  ["GET", "/nothing/of/this", 404, "There is nothing at this address."],
  ["GET", "/log/tile/", 404, "There is nothing at this address."],
  ["PUT", "/api/v1/creations/01M7/publish/", 405, "This address answers POST only."],
])("%s %s is %i: %s", (method, path, status, words) => {
  const refusal = refuseUnknown(ROUTES, path, method);
  expect([refusal.status, refusal.message.slice(-words.length)]).toEqual([status, words]);
  expect(refusal.hint).toMatch(/^[A-Z].*\.$/);
});

import type { Bucket } from "./hooks/rate-limits.ts";
import type { RouteDocs } from "./route-docs.ts";

/** A route as the documentation lists it. */
export interface ListedRoute {
  method: string;
  url: string;
  audience: "agent" | "public" | "enrolment" | "uploader" | "anybody";
  /** The bucket that limits its requests, of an agent or of an address. */
  bucket: Bucket;
  ability?: string;
  docs: RouteDocs;
}

import type { RouteDocs } from "./route-docs.ts";

/** A route as the documentation lists it. */
export interface ListedRoute {
  method: string;
  url: string;
  audience: "agent" | "public" | "enrolment";
  /** What bounds its requests: an agent's or an address's bucket. */
  bucket: string;
  ability?: string;
  docs: RouteDocs;
}

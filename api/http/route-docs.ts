import { z } from "zod";
import type { Bucket } from "./hooks/rate-limits.ts";

/** What a route says of itself for the OpenAPI document, beside its address. */
export interface RouteDocs {
  summary: string;
  /** What must have happened before it, in sentences; every call of an agent says so. */
  before?: string;
  tag: "Agent" | "Profile" | "Creations" | "Assets" | "Public" | "Enrolment";
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The form in which the body may come as well. */
  form?: z.ZodType;
  /** A schema of the whole body by status, or null for an answer without JSON. */
  answers: Record<number, z.ZodType | null>;
  /** The types of an answer that is text; the type of one whose JSON has a type of its own. */
  mediaTypes?: readonly string[];
  /** Whether its answers carry how a work was made, in AI-Disclosure. */
  disclosed?: true;
  deprecated?: boolean;
  /** Whether the route takes an Idempotency-Key, and whether a request needs one. */
  idempotencyKey?: "required" | "optional";
  ifMatch?: boolean;
  /** Codes that this route can answer beside those of every route. */
  codes?: readonly string[];
  /** Statuses of failures of HTTP that this route alone answers. */
  httpErrors?: readonly number[];
}

/** Whether a route's answer has a form without texts, for callers who prefer it: its schema is a choice of both. */
export function hasMinimalForm({ answers }: RouteDocs): boolean {
  return Object.values(answers).some((schema) => schema instanceof z.ZodUnion);
}

/** A route as the documentation lists it. */
export interface ListedRoute extends RouteDocs {
  method: string;
  url: string;
  audience: "agent" | "public" | "enrolment" | "uploader" | "anybody";
  /** The bucket that limits its requests, of an agent or of an address. */
  bucket: Bucket;
  ability?: string;
  /** Whether an agent may call it before its claim is confirmed, and while it is paused. */
  whilePending?: boolean;
  whilePaused?: boolean;
}

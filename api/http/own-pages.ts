import type { Deps } from "../../shared/platform/deps.ts";
import type { RouteContext } from "./context.ts";

/** What a page for a failure shows: what it was, and what the reader can do next. */
export interface FailureView {
  status: number;
  title: string;
  message: string;
  next: { label: string; url: string }[];
  /** Whether the page may stand in a frame on another site. */
  isFramed?: boolean;
}

/** The pages that this room answers with itself; `app.ts` hands them down, since pages import this room. */
export interface OwnPages {
  renderFailure(deps: Deps, view: FailureView): string;
  /** The page that asks a visitor without a session for an address; `next` is where it leads. */
  renderSignIn(context: RouteContext, next: string | null): string;
}

declare module "fastify" {
  interface FastifyInstance {
    ownPages: OwnPages;
  }
}

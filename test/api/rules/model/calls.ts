/** What the property test can ask of the service and of the model alike. */
export type CreationType = "story" | "dataset" | "collection" | "external_project" | "brief" | "file";
/** A creation by its place in the model, another agent's, or none at all. */
export type Ref = number | "foreign" | "unknown";
export type RevisionRef = { creation: number; number: number } | "unknown";

/** A call with everything that matters to it; members that its kind does not send are ignored. */
export interface Request {
  kind: string;
  creation: Ref;
  key: string | null;
  /** The header's text. */
  ifMatch: string | null;
  type: CreationType;
  section: string | null;
  summary: boolean;
  minor: boolean;
  /** What a collection holds. */
  entry: Ref;
  revision: RevisionRef;
  visibility: "public" | "unlisted" | "secret" | null;
  publishMs: number;
  sections: readonly string[];
  named: boolean;
}

/** An order of owner, moderator or operator; `creation` and `number` where it is about one. */
export interface Order {
  kind: "agent" | "owner" | "creation" | "remove";
  order: string;
  creation: number;
  number: number;
}

export interface RevisionView {
  number: number;
  state: string;
  summary: boolean;
  minor: boolean;
  replacedMs: number | null;
  removed: boolean;
  filesDeleted: boolean;
}

/** A creation as its resource tells of it. */
export interface CreationView {
  type: string;
  visibility: string;
  reviewState: string;
  open: boolean;
  section: string | null;
  latest: RevisionView;
  live: number | null;
  schedule: {
    number: number;
    status: string;
    publishMs: number;
    visibility: string | null;
    code: string | null;
  } | null;
  firstMs: number | null;
  updatedMs: number;
  lock: number;
}

export interface AgentView {
  status: string;
  homepage: string;
  publications: number;
  updates: number;
  creations: number;
  lock: number;
}

/** What a call answers: the creation where it succeeds on one, else null. */
export interface Answer {
  status: number;
  code: string | null;
  view: CreationView | null;
}

import { z } from "zod";

// The members of answers that the play reads, as a client would declare them; it leaves out all others.

export const Owner = z.object({ owner_id: z.string() });
export const IssuedCode = z.object({ enrollment_code: z.string() });
export const SignInLink = z.object({ url: z.url() });

/** What the client's `enrol` prints. */
export const Enrolled = z.object({ handle: z.string(), claim_url: z.url() });
/** What its commands print of works. */
export const Report = z.object({
  works: z.array(
    z.object({
      ...{ path: z.string(), did: z.string(), id: z.string().nullable(), url: z.string().nullable() },
      ...{ rows: z.number().optional(), columns: z.number().optional(), rows_added: z.number().optional() },
    }),
  ),
  requests: z.number(),
});
export const Agent = z.object({
  data: z.object({
    status: z.string(),
    claim_status: z.string(),
    last_seen_at: z.string().nullable(),
    homepage_url: z.url().nullable(),
    remaining: z.object({ publications_today: z.number() }),
  }),
});
export const Creation = z.object({
  data: z.object({
    id: z.string(),
    slug: z.string(),
    visibility: z.string(),
    public_url: z.url().nullable(),
    json_url: z.url().nullable(),
    latest_revision: z.object({ id: z.string(), payload: z.unknown(), checksum: z.string() }),
    lock_version: z.number(),
  }),
});
export type Creation = z.infer<typeof Creation>["data"];

export const PublicCreation = z.object({
  data: z.object({
    version: z.literal(3),
    id: z.string(),
    type: z.string(),
    title: z.string(),
    url: z.url(),
    checksum: z.string(),
    body_markdown: z.string().nullable(),
    section: z.object({ slug: z.string() }).nullable(),
    references: z.array(z.object({ id: z.string(), relation: z.string() })),
    cited_by: z.array(z.object({ id: z.string(), relation: z.string() })),
    files: z.array(z.object({ url: z.url(), bytes: z.number(), rows_url: z.url() })),
    figures: z.array(
      z.object({
        text: z.string(),
        value: z.string(),
        now: z.object({ state: z.string(), value: z.string().nullable() }),
      }),
    ),
    log: z.object({ index: z.number(), proof_url: z.url() }).nullable(),
    signature: z.object({ kid: z.string() }).nullable(),
  }),
});
export const AgentKeys = z.object({ data: z.object({ keys: z.array(z.object({ kid: z.string() })) }) });
/** What the client's `verify` prints. */
export const Verified = z.object({
  verdict: z.string(),
  checked: z.array(z.object({ path: z.string() })),
});
export const Events = z.object({
  data: z.array(
    z.object({ data: z.object({ figures: z.array(z.object({ n: z.number(), state: z.string() })) }) }),
  ),
});
export const Rebound = z.object({
  rebound: z.array(z.object({ kind: z.string(), old: z.string().nullable(), new: z.string().nullable() })),
});
export const Rows = z.object({
  data: z.object({
    rows: z.array(z.unknown()),
    matched: z.number(),
    total: z.number(),
    next_offset: z.number().nullable(),
  }),
});

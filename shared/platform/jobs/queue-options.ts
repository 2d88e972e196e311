import { CATALOGUE, JOB_NAMES, type JobName } from "./catalogue.ts";

/** pg-boss's own schema in the database. */
export const SCHEMA = "pgboss";

/** A queue of pg-boss as the catalogue wants it. */
export type WantedQueue = (typeof WANTED_QUEUES)[number];

/** The queue of each job of the catalogue. */
export const WANTED_QUEUES = JOB_NAMES.map((name) => {
  const kind = CATALOGUE[name];
  return {
    name,
    policy: kind.onePer !== undefined ? ("stately" as const) : ("standard" as const),
    options: {
      deadLetter: deadLetterName(name),
      retryLimit: kind.attempts - 1,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: kind.timeoutSeconds,
      // A killed worker's job is seen after ten seconds without a heartbeat; the default is fifteen minutes.
      heartbeatSeconds: 10,
      deleteAfterSeconds: 24 * 60 * 60,
      notify: true,
    },
  };
});

/** The queue of the jobs of a name that used up their tries. */
export function deadLetterName(name: JobName): string {
  return `${name}-dead`;
}

import type { z } from "zod";
import type { LivenessLimits } from "../connection/liveness.ts";
import { openVersionPool } from "../connection/version-pool.ts";
import { PAGE_VERSION_STATEMENTS, type PageSubject, type PageVersionRow } from "./page-versions.ts";

/**
 * Reads the page version of each subject, or null where readers may not open it. Equal versions mean equal
 * pages. One statement reads all subjects of a kind.
 */
export interface PageVersions {
  read(subjects: readonly PageSubject[], nowMs: number): Promise<readonly (string | null)[]>;
  close(): Promise<void>;
}

/** Opens the reader of page versions. These are the hottest statements of the service. */
export function openPageVersions(
  databaseUrl: string,
  connections: number,
  limits: Partial<LivenessLimits> = {},
): PageVersions {
  const { run, close } = openVersionPool(databaseUrl, connections, limits);
  return {
    async read(subjects, nowMs) {
      const versions: (string | null)[] = subjects.map(() => null);
      await Promise.all(
        PAGE_VERSION_STATEMENTS.map(async ({ kind, text, valuesOf }) => {
          const places = subjects.flatMap((subject, place) => (subject.kind === kind ? [place] : []));
          if (places.length === 0) return;
          const asked = places.flatMap((place) => subjects[place] ?? []);
          for (const { place, version } of await run<z.infer<typeof PageVersionRow>>({
            name: `page-version-${kind}`,
            text,
            values: valuesOf(asked, nowMs),
          })) {
            versions[places[place - 1] ?? -1] = version;
          }
        }),
      );
      return versions;
    },
    close,
  };
}

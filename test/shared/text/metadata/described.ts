import { createHash } from "node:crypto";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import { measureFile } from "../../../../shared/tables/statistics/measure-table.ts";
import {
  type DescribedDataset,
  type DescribedFile,
  describeTables,
} from "../../../../shared/text/metadata/described-work.ts";
import { openTables, prepareFile, type ReadyFile } from "../../tables/rows/reading.ts";

/** A file as the service describes it, its bytes, and what the rows reader knows of it. */
export interface DescribedSample {
  file: DescribedFile;
  ready: ReadyFile;
}

export async function describeSample(
  content: string | Buffer,
  format: FileFormat,
  name = "data",
): Promise<DescribedSample> {
  const ready = await prepareFile(content, format);
  const { file, content: bytes } = ready;
  const { forms } = await measureFile(file, openTables(ready), 7);
  const filename = `${name}.${format}`;
  return {
    ready,
    file: {
      filename,
      label: name,
      notes: null,
      url: `https://example.org/media/${encodeURIComponent(filename)}`,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      format,
      tables: describeTables(file.inspection, file.tables, JSON.parse(forms)),
      reading: null,
      parquet: [],
    },
  };
}

/** A dataset of these files. */
export function makeDataset(
  files: readonly DescribedFile[],
  more: Partial<DescribedDataset> = {},
): DescribedDataset {
  const url = "https://example.org/@tidewatch/gauge-readings";
  return {
    handle: "tidewatch",
    slug: "gauge-readings",
    title: "Gauge readings",
    description: "The height of the water at six gauges, every hour since 2019.",
    url,
    revisionUrl: `${url}/revisions/12`,
    revisionNumber: 12,
    license: null,
    language: null,
    noLicenseUrl: "https://example.org/docs/metadata#a-dataset-without-a-licence",
    agent: { name: "Tide Watch", url: "https://example.org/@tidewatch" },
    owner: null,
    isLive: false,
    firstPublishedAt: "2026-11-20T09:00:00Z",
    publishedAt: "2026-11-21T09:00:00Z",
    citeAs: null,
    isRetracted: false,
    sources: [],
    keywords: [],
    files,
    ...more,
  };
}

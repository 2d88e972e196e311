import type { CreationPageView } from "../../../api/pages/site/creation-view.ts";

/** A JSON document of two lists, as the page of a dataset shows it. */
export const STATIONS: CreationPageView["files"][number] = {
  parquet_url: null,
  label: "Stations",
  format: "json",
  bytes: 9120,
  notes: null,
  url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9P/stations.json",
  content_sha256: "0d4a1185a1c8b1a0d9b7c6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1",
  inspection: null,
  rows_url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9P/rows",
  tables: ["stations", "operators"],
  stats: null,
  tablePageUrl: null,
  latestUrl: null,
  parquet: [],
  statsUrl: null,
  dictionary: null,
  checks: null,
  ...{ dialect: null, canonical_sha256: null, leftOut: 0, canonicalUrl: null },
  sample: null,
  outline: {
    type: "object",
    count: 3,
    members: [
      { name: "licence", type: "text" },
      {
        name: "stations",
        type: "array",
        count: 42,
        item_types: ["object"],
        first_item: {
          type: "object",
          count: 2,
          members: [
            { name: "name", type: "text" },
            { name: "zero_m", type: "number" },
          ],
        },
      },
      { name: "operators", type: "array", count: 6, item_types: ["text"] },
    ],
  },
};

/** The words and figures of the sample views; they were written for these tests. */

import type { TableStats } from "../../../shared/tables/statistics/brief-columns.ts";

export const BODY_MARKDOWN = `On the night of 18 November the gauge at Husum stood 3.41 m above normal zero. It is the highest reading since hourly records began there, and it came two hours before the forecast peak[^1].

Forty-two gauges between Emden and List sent readings all night; three fell silent. This report compares them hour by hour and says where the forecast and the water parted company. The readings are published beside it as [a data set](https://example.org/@tidewatch/gauge-readings) that anyone may query.

# Where the water came first

The surge ran along the coast from west to east, as it always does. What was new was the pace: the crest covered the distance from Borkum to Büsum in **three hours and ten minutes**, a third faster than the median of the last twenty storms.

| Gauge | Peak, m | Forecast, m | Hour (UTC) |
| --- | ---: | ---: | --- |
| Borkum | 2.88 | 2.70 | 18:40 |
| Cuxhaven | 3.12 | 3.05 | 20:50 |
| Büsum | 3.36 | 3.10 | 21:50 |
| Husum | 3.41 | 3.20 | 22:20 |

## What the silent gauges would have said

- Two stood behind the barrier and lost power when it closed.
- One, at Schlüttsiel, sent the value \`9999\` for four hours; it is treated as a blank here.

To do before the next storm:

- [x] ask for the maintenance log
- [ ] compare with the light buoys

> A gauge that fails at the peak is the gauge that mattered.

\`\`\`http
GET /media/01M7WVM8W0T8NYB19BE1ATAT9N/rows?filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=3
\`\`\`

[^1]: The forecast of 15:00 UTC, the last before the surge.
`;

export const rows = [
  ["Borkum", "2026-11-18T18:00:00Z", "2.71", "ok", "NW", "21.4"],
  ["Borkum", "2026-11-18T19:00:00Z", "2.88", "ok", "NW", "23.9"],
  ["Büsum", "2026-11-18T18:00:00Z", "2.02", "ok", "WNW", "19.7"],
  ["Büsum", "2026-11-18T19:00:00Z", "2.47", "ok", "WNW", null],
  ["Cuxhaven", "2026-11-18T18:00:00Z", "2.36", "ok", "NW", "20.1"],
  ["Husum", "2026-11-18T18:00:00Z", "1.94", "ok", "W", "18.8"],
  ["Husum", "2026-11-18T19:00:00Z", "2.39", "estimated", "W", "20.3"],
  ["Schlüttsiel", "2026-11-18T18:00:00Z", null, "silent", null, null],
  ["Schlüttsiel", "2026-11-18T19:00:00Z", null, "silent", null, null],
  ["List", "2026-11-18T18:00:00Z", "1.55", "ok", "W", "17.2"],
];

const NO_FIGURES = { min: null, max: null, mean: null, quartiles: null, histogram: null };

export const STATS: TableStats[] = [
  {
    table: null,
    row_count: 3024,
    columns: [
      {
        ...{ ...NO_FIGURES, name: "station", type: "text", count: 3024, blanks: 0, missing: 0, distinct: 42 },
        ...{ min: "Borkum", max: "Wittdün" },
        top_values: ["Husum", "Büsum", "List", "Borkum", "Cuxhaven"].map((value) => ({ value, count: 72 })),
      },
      {
        ...{
          ...NO_FIGURES,
          name: "measured_at",
          type: "date",
          count: 3024,
          blanks: 0,
          missing: 0,
          distinct: 3024,
        },
        ...{ min: "2026-11-17T00:00:00Z", max: "2026-11-19T23:00:00Z" },
        top_values: [{ value: "2026-11-17T00:00:00Z", count: 1 }],
        histogram: { from: "2026-11-17", to: "2026-11-20", unit: "day", counts: [1008, 1010, 1006] },
      },
      {
        ...{ name: "height_m", type: "number", count: 2912, blanks: 112, missing: 0, distinct: 391 },
        ...{ min: "-1.86", max: "3.41", mean: 0.1 + 0.2, quartiles: { q1: -0.42, median: 0.38, q3: 1.07 } },
        histogram: { from: -2, to: 3.5, counts: [12, 85, 240, 610, 802, 590, 331, 150, 64, 20, 8] },
        top_values: [{ value: "0.38", count: 31 }],
      },
    ],
    columns_left_out: 0,
  },
];

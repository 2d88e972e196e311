/** The chart of each year's precipitation, which has its rows from the dataset's file. */
export function writeYearChart(assetId: string, hash: string): string {
  return JSON.stringify({
    mark: "line",
    title: "Precipitation by year",
    data: {
      from: {
        asset_id: assetId,
        content_sha256: hash,
        group: [{ column: "date", by: "year" }, { column: "location" }],
        aggregate: [{ op: "sum", column: "precipitation", as: "mm" }],
      },
    },
    encoding: {
      x: { field: "date", type: "temporal", title: "Year" },
      y: { field: "mm", type: "quantitative", title: "Precipitation, mm" },
      color: { field: "location", type: "nominal", title: "City" },
    },
  });
}

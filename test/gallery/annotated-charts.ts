import {
  COUNTRIES,
  type GalleryChart,
  layDown,
  noise,
  times,
  writeChart,
  writeMonth,
} from "./chart-recipes.ts";

/** Lines, spans and places that an author marks, in every orientation. */
export const ANNOTATED_CHARTS: GalleryChart[] = [
  writeChart("annotations on a line", {
    mark: "line",
    title: "Rents rose until the cap",
    x: ["month", "temporal", "Month"],
    y: ["rent", "Rent (EUR a square metre)"],
    annotations: [
      { rule: { x: "2023-07" }, label: "Cap on rents comes into force" },
      { band: { x: ["2020-03", "2020-06"] }, label: "First lockdown" },
      { rule: { y: 9 }, label: "Mean of all cities" },
      { point: { x: "2023-06", y: 13.4 }, label: "Highest rent so far, a month before the cap" },
    ],
    rows: times(72, (index) => ({
      month: writeMonth(index, 2019),
      rent:
        Math.round(
          (7 + (index < 54 ? index * 0.12 : 6.4 - (index - 54) * 0.05) + noise(51, index) * 0.4) * 10,
        ) / 10,
    })),
  }),
  writeChart("annotations on bars", {
    mark: "bar",
    title: "Three of seven are above the target",
    x: ["country", "nominal", "Country"],
    y: ["share", "Share of rail (%)"],
    annotations: [
      { rule: { y: 30 }, label: "Target for 2030" },
      { point: { x: "Latvia", y: 22 }, label: "Counted anew since 2024" },
    ],
    rows: COUNTRIES.map((country, index) => ({ country, share: Math.round(8 + noise(52, index) * 40) })),
  }),
  writeChart("annotations on horizontal bars", {
    mark: "bar",
    title: "Who spends how much on trains",
    x: ["country", "nominal"],
    y: ["euros"],
    channels: layDown(["euros", "Euros a head"], ["country", "Country"]),
    annotations: [
      { rule: { x: 120 }, label: "Mean of the union" },
      { band: { x: [60, 90] }, label: "What experts call enough for upkeep" },
      { point: { x: 60, y: "Greece" }, label: "Half of it for one tunnel" },
      { rule: { y: "Latvia" }, label: "New member" },
    ],
    rows: COUNTRIES.map((country, index) => ({ country, euros: Math.round(30 + noise(53, index) * 160) })),
  }),
  writeChart("annotations on points", {
    mark: "point",
    title: "Where most of the readings lie",
    x: ["salt", "quantitative", "Salt (g/l)"],
    y: ["oxygen", "Oxygen (mg/l)"],
    annotations: [
      { band: { y: [0, 2] }, label: "Too little for fish" },
      { band: { x: [18, 24] }, label: "Brackish" },
      { rule: { y: 8 }, label: "Good" },
      { point: { x: 3, y: 11 }, label: "The river's mouth after the spring flood of 2024" },
    ],
    rows: times(60, (index) => ({
      salt: Math.round((3 + noise(54, index) * 30) * 10) / 10,
      oxygen: Math.round((1.5 + noise(55, index) * 9) * 10) / 10,
    })),
  }),
  writeChart("annotations, ten in a crowded chart", {
    mark: "bar",
    title: "Ten notes with nowhere to go",
    x: ["month", "temporal", "Month"],
    y: ["n", "Reports"],
    annotations: [
      ...times(4, (index) => ({
        rule: { x: writeMonth(index + 1, 2025) },
        label: `Change number ${index + 1} of the form in which reports are sent, as the office writes`,
      })),
      ...times(3, (index) => ({
        rule: { y: 30 + index * 2 },
        label: `Limit ${index + 1} of the plan of the year before`,
      })),
      ...times(3, (index) => ({
        point: { x: writeMonth(index * 4, 2025), y: 20 },
        label: `Counted by hand in the district, part ${index + 1} of a series of three`,
      })),
    ],
    rows: times(12, (index) => ({
      month: writeMonth(index, 2025),
      n: Math.round(60 + noise(56, index) * 40),
    })),
  }),
];

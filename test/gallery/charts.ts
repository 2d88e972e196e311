/** A chart of the gallery: what it shows off, and its block. */
export interface GalleryChart {
  name: string;
  source: string;
}

type Row = Record<string, string | number | boolean | null>;

interface Recipe {
  mark: string;
  title?: string;
  description?: string;
  x: [field: string, type: string, title?: string];
  y: [field: string, title?: string];
  color?: [field: string, title?: string];
  rows: Row[];
}

function write(name: string, { mark, title, description, x, y, color, rows }: Recipe): GalleryChart {
  const encode = (field: string, type: string, text?: string) => ({
    field,
    type,
    ...(text && { title: text }),
  });
  const encoding = {
    x: encode(...x),
    y: encode(y[0], "quantitative", y[1]),
    ...(color && { color: encode(color[0], "nominal", color[1]) }),
  };
  const block = {
    mark,
    ...(title && { title }),
    ...(description && { description }),
    data: { values: rows },
    encoding,
  };
  return { name, source: JSON.stringify(block, null, 2) };
}

/** Even noise from 0 to 1, the same at every call with the same numbers. */
function noise(seed: number, index: number): number {
  const value = Math.sin(seed * 127.1 + index * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

function writeDay(index: number, first = "2025-01-01"): string {
  return new Date(Date.parse(`${first}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10);
}

function writeMonth(index: number, firstYear: number): string {
  return `${firstYear + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

const COUNTRIES = [
  "Norway",
  "Denmark",
  "Portugal",
  "Bosnia and Herzegovina",
  "Greece",
  "United Kingdom",
  "Latvia",
];
const ENERGY = ["Hydro", "Wind", "Gas", "Nuclear", "Solar", "Coal", "Biomass", "Oil"];
const LONG =
  "A very long label that nobody would write by hand but that an agent takes from a column of free text, up to one hundred and sixty characters or even a few more of it";

const BARS: GalleryChart[] = [
  write("bar, nominal", {
    mark: "bar",
    title: "Rain falls on the west coast",
    description: "Yearly precipitation at seven stations, mean of 1991 to 2020.",
    x: ["country", "nominal", "Country"],
    y: ["mm", "Precipitation (mm a year)"],
    rows: COUNTRIES.map((country, index) => ({ country, mm: Math.round(400 + noise(1, index) * 1800) })),
  }),
  write("bar, negative and positive", {
    mark: "bar",
    title: "Change on the year before",
    x: ["quarter", "ordinal", "Quarter"],
    y: ["change", "Change in per cent"],
    rows: times(12, (index) => ({
      quarter: `Q${(index % 4) + 1} ${2023 + Math.floor(index / 4)}`,
      change: Math.round((noise(2, index) - 0.55) * 90) / 10,
    })),
  }),
  write("bar, stacked", {
    mark: "bar",
    title: "Where the power came from",
    x: ["year", "temporal", "Year"],
    y: ["twh", "Electricity (TWh)"],
    color: ["source", "Source"],
    rows: times(40, (index) => ({
      year: 2016 + Math.floor(index / 4),
      source: ENERGY[index % 4] ?? "",
      twh: Math.round(noise(3, index) * 900) / 10 + 10,
    })),
  }),
  write("bar, stacked, eight groups, negative too", {
    mark: "bar",
    title: "Eight flows in and out",
    x: ["month", "temporal"],
    y: ["flow", "Net flow (EUR)"],
    color: ["account", "Account"],
    rows: times(96, (index) => ({
      month: writeMonth(Math.floor(index / 8), 2025),
      account: ENERGY[index % 8] ?? "",
      flow: Math.round((noise(4, index) - 0.4) * 4e6),
    })),
  }),
  write("bar, one value", {
    mark: "bar",
    title: "One value",
    x: ["a", "nominal"],
    y: ["b"],
    rows: [{ a: "Only", b: 42 }],
  }),
  write("bar, all zero", {
    mark: "bar",
    x: ["a", "nominal"],
    y: ["b"],
    rows: times(5, (index) => ({ a: `Group ${index}`, b: 0 })),
  }),
  write("bar, all equal", {
    mark: "bar",
    x: ["a", "nominal"],
    y: ["b"],
    rows: times(6, (index) => ({ a: `Group ${index}`, b: 7 })),
  }),
  write("bar, all negative", {
    mark: "bar",
    title: "All below",
    x: ["a", "nominal"],
    y: ["b"],
    rows: times(6, (index) => ({ a: `G${index}`, b: -3 - index })),
  }),
  write("bar, very large", {
    mark: "bar",
    x: ["a", "nominal"],
    y: ["b"],
    rows: times(5, (index) => ({ a: `E${index}`, b: 1.7e308 * noise(5, index) })),
  }),
  write("bar, very small", {
    mark: "bar",
    x: ["a", "nominal"],
    y: ["b"],
    rows: times(5, (index) => ({ a: `E${index}`, b: 3e-9 * noise(6, index) })),
  }),
  write("bar, long labels", {
    mark: "bar",
    title: LONG.slice(0, 120),
    x: ["a", "nominal", LONG],
    y: ["b", LONG],
    color: ["c", LONG],
    rows: times(18, (index) => ({
      a: `${index} ${LONG}`.slice(0, 160),
      b: 10 + index,
      c: `${index % 3} ${LONG}`,
    })),
  }),
  write("bar, right-to-left and emoji labels", {
    mark: "bar",
    title: "مبيعات المتجر 🛒 לפי סוג",
    x: ["a", "nominal", "סוג המוצר"],
    y: ["b", "المبيعات (2026)"],
    rows: [
      "قهوة عربية",
      "תה ירוק",
      "🍎 Äpfel",
      "👩‍👩‍👧‍👦 families",
      "日本語のラベル",
      "Кофе",
      "Ελληνικός καφές",
    ].map((a, index) => ({ a, b: 12 + index * 5 })),
  }),
  write("bar, 31 days", {
    mark: "bar",
    title: "Visits a day in March",
    x: ["day", "temporal", "Day"],
    y: ["visits", "Visits"],
    rows: times(31, (index) => ({
      day: writeDay(index, "2026-03-01"),
      visits: Math.round(200 + noise(7, index) * 800),
    })),
  }),
  write("bar, 60 names", {
    mark: "bar",
    title: "Sixty places",
    x: ["place", "nominal", "Place"],
    y: ["people", "Inhabitants"],
    rows: times(60, (index) => ({
      place: `${COUNTRIES[index % 7]} ${index}`,
      people: Math.round(noise(8, index) * 120_000),
    })),
  }),
  write("bar, 500 rows", {
    mark: "bar",
    title: "Five hundred bars",
    x: ["name", "nominal", "Name"],
    y: ["size", "Size"],
    rows: times(500, (index) => ({ name: `Item number ${index}`, size: Math.round(noise(9, index) * 1000) })),
  }),
  write("bar, 120 ordinal years", {
    mark: "bar",
    x: ["year", "ordinal", "Year"],
    y: ["count", "Storms"],
    rows: times(120, (index) => ({ year: 1900 + index, count: Math.round(noise(10, index) * 24) })),
  }),
];

const LINES: GalleryChart[] = [
  write("line, temporal, 500 rows, four groups", {
    mark: "line",
    title: "Four stocks over 125 days",
    description: "Closing prices; made up for this gallery.",
    x: ["date", "temporal", "Date"],
    y: ["price", "Closing price (USD)"],
    color: ["stock", "Stock"],
    rows: times(500, (index) => {
      const group = index % 4;
      const day = Math.floor(index / 4);
      const price =
        80 + group * 45 + Math.sin(day / (9 + group * 4)) * 16 + noise(group, day) * 7 + day * 0.15 * group;
      return {
        date: writeDay(day),
        price: Math.round(price * 100) / 100,
        stock: ["Alder", "Birch", "Cedar", "Doum"][group] ?? "",
      };
    }),
  }),
  write("line, months with gaps", {
    mark: "line",
    title: "A gauge that failed twice",
    x: ["month", "temporal", "Month"],
    y: ["level", "Water level (cm)"],
    rows: times(30, (index) => ({
      month: writeMonth(index, 2023),
      level:
        index === 8 || index === 9 || index === 19 || index === 21
          ? null
          : Math.round(250 + Math.sin(index / 3) * 60 + noise(11, index) * 20),
    })),
  }),
  write("line, eight groups", {
    mark: "line",
    title: "Eight sources of power",
    x: ["year", "temporal", "Year"],
    y: ["share", "Share (%)"],
    color: ["source", "Source"],
    rows: times(88, (index) => ({
      year: String(2015 + Math.floor(index / 8)),
      source: ENERGY[index % 8] ?? "",
      share: Math.round((4 + (index % 8) * 4 + noise(index % 8, Math.floor(index / 8)) * 3) * 10) / 10,
    })),
  }),
  write("line, quantitative x", {
    mark: "line",
    title: "Cooling of a cup of tea",
    x: ["minute", "quantitative", "Minutes"],
    y: ["degrees", "Temperature (°C)"],
    rows: times(40, (index) => ({
      minute: index * 1.5,
      degrees: Math.round((20 + 75 * Math.exp(-index / 14)) * 10) / 10,
    })),
  }),
  write("line, far from zero", {
    mark: "line",
    x: ["d", "temporal", "Day"],
    y: ["pressure", "Pressure (hPa)"],
    rows: times(20, (index) => ({
      d: writeDay(index),
      pressure: Math.round((1013 + noise(12, index) * 9) * 10) / 10,
    })),
  }),
  write("line, one value", {
    mark: "line",
    x: ["d", "temporal"],
    y: ["v"],
    rows: [{ d: "2026-03-05", v: 3 }],
  }),
  write("line, nominal, all equal", {
    mark: "line",
    x: ["d", "nominal"],
    y: ["v"],
    rows: times(5, (index) => ({ d: `Step ${index + 1}`, v: -2.5 })),
  }),
  write("line, two years far apart", {
    mark: "line",
    x: ["d", "temporal", "Year"],
    y: ["v"],
    rows: [
      { d: "0200", v: 1e9 },
      { d: "1500", v: 3.2e9 },
      { d: "2020", v: 7.8e9 },
    ],
  }),
  write("line, tiny differences", {
    mark: "line",
    x: ["d", "ordinal", "Run"],
    y: ["v", "Reading"],
    rows: times(9, (index) => ({ d: index + 1, v: 1_000_000 + noise(13, index) / 100 })),
  }),
];

const AREAS: GalleryChart[] = [
  write("area, single", {
    mark: "area",
    title: "Snow on the ground",
    x: ["day", "temporal", "Day"],
    y: ["cm", "Snow depth (cm)"],
    rows: times(120, (index) => ({
      day: writeDay(index, "2025-11-01"),
      cm: Math.max(0, Math.round(Math.sin((index - 20) / 32) * 70 + noise(14, index) * 10)),
    })),
  }),
  write("area, stacked", {
    mark: "area",
    title: "Power by source",
    x: ["month", "temporal", "Month"],
    y: ["gwh", "Electricity (GWh)"],
    color: ["source", "Source"],
    rows: times(180, (index) => ({
      month: writeMonth(Math.floor(index / 5), 2022),
      source: ENERGY[index % 5] ?? "",
      gwh: Math.round(
        200 + (index % 5) * 90 + Math.sin(index / 20 + (index % 5)) * 120 + noise(15, index) * 40,
      ),
    })),
  }),
  write("area, stacked, with gaps and late groups", {
    mark: "area",
    x: ["x", "quantitative", "Week"],
    y: ["n", "Reports"],
    color: ["kind", "Kind"],
    rows: [
      ...times(12, (index) => ({ x: index, n: index === 6 ? null : 20 + index, kind: "bug" })),
      ...times(6, (index) => ({ x: index * 2 + 1, n: 12 + noise(16, index) * 9, kind: "wish" })),
      { x: 4, n: 9, kind: "praise" },
    ],
  }),
  write("area, negative too", {
    mark: "area",
    title: "Balance of trade",
    x: ["year", "temporal", "Year"],
    y: ["balance", "Balance (billion USD)"],
    rows: times(25, (index) => ({ year: 2000 + index, balance: Math.round(Math.sin(index / 4) * 900) / 10 })),
  }),
];

const POINTS: GalleryChart[] = [
  write("point, three groups", {
    mark: "point",
    title: "Heavier cars drink more",
    x: ["kg", "quantitative", "Weight (kg)"],
    y: ["litres", "Litres for 100 km"],
    color: ["origin", "Origin"],
    rows: times(150, (index) => {
      const kg = Math.round(700 + noise(17, index) * 1500);
      return {
        kg,
        litres: Math.round((kg / 180 + noise(18, index) * 4) * 10) / 10,
        origin: ["Europe", "Japan", "USA"][index % 3] ?? "",
      };
    }),
  }),
  write("point, 500 rows", {
    mark: "point",
    title: "Five hundred readings",
    x: ["a", "quantitative"],
    y: ["b"],
    rows: times(500, (index) => ({
      a: Math.round((noise(19, index) - 0.5) * 2000) / 10,
      b: Math.round((noise(20, index) + noise(21, index) - 1) * 1e5),
    })),
  }),
  write("point, nominal x", {
    mark: "point",
    x: ["team", "nominal", "Team"],
    y: ["score", "Score"],
    rows: times(30, (index) => ({
      team: COUNTRIES[index % 7] ?? "",
      score: Math.round(noise(22, index) * 100),
    })),
  }),
  write("point, one value", {
    mark: "point",
    x: ["a", "quantitative"],
    y: ["b"],
    rows: [{ a: 0.001, b: 12_345_678 }],
  }),
];

/** Every mark with every type, size and edge case, for the gallery page. */
export const GALLERY_CHARTS: readonly GalleryChart[] = [...BARS, ...LINES, ...AREAS, ...POINTS];

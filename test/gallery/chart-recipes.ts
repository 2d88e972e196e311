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
  /** Further channels, as a block has them. */
  channels?: Record<string, object>;
  annotations?: object[];
  rows: Row[];
}

/** Writes the block of a recipe. */
export function writeChart(
  name: string,
  { mark, title, description, x, y, color, channels, annotations, rows }: Recipe,
): GalleryChart {
  const encode = (field: string, type: string, text?: string) => ({
    field,
    type,
    ...(text && { title: text }),
  });
  const encoding = {
    x: encode(...x),
    y: encode(y[0], "quantitative", y[1]),
    ...(color && { color: encode(color[0], "nominal", color[1]) }),
    ...channels,
  };
  const block = {
    mark,
    ...(title && { title }),
    ...(description && { description }),
    data: { values: rows },
    encoding,
    ...(annotations && { annotations }),
  };
  return writeBlock(name, block);
}

/** The channels of bars that lie: values on x, names on y. */
export function layDown(values: [field: string, title: string], names: [field: string, title: string]) {
  return {
    x: { field: values[0], type: "quantitative", title: values[1] },
    y: { field: names[0], type: "nominal", title: names[1] },
  };
}

/** Writes a block as it is. */
export function writeBlock(name: string, block: object): GalleryChart {
  return { name, source: JSON.stringify(block, null, 2) };
}

/** Even noise from 0 to 1, the same at every call with the same numbers. */
export function noise(seed: number, index: number): number {
  const value = Math.sin(seed * 127.1 + index * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

/** So many items, each made of its index. */
export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The day so many days after the first, as year-month-day. */
export function writeDay(index: number, first = "2025-01-01"): string {
  return new Date(Date.parse(`${first}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10);
}

/** The month so many months after January of a year, as year-month. */
export function writeMonth(index: number, firstYear: number): string {
  return `${firstYear + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** Names of places, some of two words. */
export const COUNTRIES = [
  "Norway",
  "Denmark",
  "Portugal",
  "Bosnia and Herzegovina",
  "Greece",
  "United Kingdom",
  "Latvia",
];
/** Eight groups. */
export const ENERGY = ["Hydro", "Wind", "Gas", "Nuclear", "Solar", "Coal", "Biomass", "Oil"];
/** A label over 160 characters. */
export const LONG =
  "A very long label that nobody would write by hand but that an agent takes from a column of free text, up to one hundred and sixty characters or even a few more of it";

import { expect, test } from "vitest";
import { toEntryName } from "../../../../shared/care/archive/zip.ts";

test.each([
  ["weather.csv", "weather.csv"],
  ["Größe 水位 🌊.csv", "Größe 水位 🌊.csv"],
  ["a name with blanks.md", "a name with blanks.md"],
  ["..", "__"],
  [".", "_"],
  ["", "_"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["C:\\temp\\x.txt", "C__temp_x.txt"],
  ['what?*|<>".csv', "what______.csv"],
  ["line\nbreak\u0000.txt", "line_break_.txt"],
  ["right\u202eto left.txt", "right_to left.txt"],
  ["con.csv", "_con.csv"],
  ["NUL", "_NUL"],
  ["com1.json", "_com1.json"],
  ["console.csv", "console.csv"],
  [" leading.csv", "_leading.csv"],
  ["trailing. ", "trailing__"],
  ["half a \ud83c.txt", "half a \ufffd.txt"],
])("%j is stored as %j", (given, stored) => {
  expect(toEntryName(given)).toBe(stored);
});

test.each(["x".repeat(255), "水".repeat(255), "🌊".repeat(255), "🇩🇪".repeat(120)])(
  "a long name is cut to what every file system takes, its ending kept (%#)",
  (start) => {
    const name = toEntryName(`${start}.json`);
    expect(name).toMatch(/\.json$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(name)).toBeGreaterThan(140);
    expect(name.isWellFormed()).toBe(true);
  },
);

import deprecatedIds from "spdx-license-ids/deprecated.json" with { type: "json" };
import ids from "spdx-license-ids/index.json" with { type: "json" };
import listed from "spdx-license-list/spdx.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import {
  describeLicence,
  explainLicence,
  findLicenceId,
  findNearestLicence,
  LICENCE_IDS,
  RECOMMENDED_LICENCES,
} from "../../../../shared/text/licences/licences.ts";
import spdx from "../../../../shared/text/licences/spdx.json" with { type: "json" };
import { makeLicenceTable } from "../../../support/licence-table.ts";

test("the table in the tree is that of the packages; else run npm run licences", () => {
  expect(spdx).toEqual(makeLicenceTable());
  expect(LICENCE_IDS).toEqual(ids);
});

describe("an identifier", () => {
  test("is found in any case and has the list's case", () => {
    expect(["cc-by-4.0", "ODBL-1.0", "Cc0-1.0", "mit"].map(findLicenceId)).toEqual([
      "CC-BY-4.0",
      "ODbL-1.0",
      "CC0-1.0",
      "MIT",
    ]);
    for (const id of LICENCE_IDS) {
      expect(findLicenceId(id.toUpperCase())).toBe(id);
      expect(findLicenceId(id.toLowerCase())).toBe(id);
    }
  });

  test.each(["CC-BY", "", "GPL-2.0", "__proto__", "constructor", "CC-BY-4.0 ", "MIT OR Apache-2.0"])(
    "%j is none",
    (text) => {
      expect(findLicenceId(text)).toBeNull();
    },
  );

  test("in force is no deprecated one", () => {
    expect(deprecatedIds.filter((id) => findLicenceId(id) !== null)).toEqual([]);
  });
});

describe("a licence", () => {
  test.each([
    [
      "CC-BY-4.0",
      "Creative Commons Attribution 4.0 International",
      "https://creativecommons.org/licenses/by/4.0/",
    ],
    ["CC0-1.0", "Creative Commons Zero v1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"],
    [
      "CC-BY-NC-3.0-DE",
      "Creative Commons Attribution Non Commercial 3.0 Germany",
      "https://creativecommons.org/licenses/by-nc/3.0/de/",
    ],
    [
      "CC-PDM-1.0",
      "Creative Commons Public Domain Mark 1.0 Universal",
      "https://creativecommons.org/publicdomain/mark/1.0/",
    ],
    [
      "ODbL-1.0",
      "Open Data Commons Open Database License v1.0",
      "https://opendatacommons.org/licenses/odbl/1.0/",
    ],
    ["MIT", "MIT License", "https://spdx.org/licenses/MIT.html"],
    [
      "CDLA-Permissive-2.0",
      "Community Data License Agreement Permissive 2.0",
      "https://spdx.org/licenses/CDLA-Permissive-2.0.html",
    ],
    ["Bugroff", "Bugroff", "https://spdx.org/licenses/Bugroff.html"],
  ])("%s has its name and its page", (id, name, url) => {
    expect(describeLicence(id)).toEqual({ id, name, url });
  });

  test("of Creative Commons or Open Data Commons has the page that the list knows", () => {
    const pages = Object.entries<{ name: string; url?: string }>(listed).flatMap(([id, { url = "" }]) => {
      const isOwn = /(?:creative|opendata)commons\.org/.test(url) && LICENCE_IDS.includes(id);
      return isOwn
        ? [[id, url.replace(/legalcode$/, "").replace(/^https?:\/\/(www\.)?/, "https://")] as const]
        : [];
    });
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.map(([id]) => [id, describeLicence(id).url])).toEqual(pages);
  });

  test("of the list has a name and an address, each", () => {
    for (const licence of LICENCE_IDS.map(describeLicence)) {
      expect(licence.name).not.toBe("");
      expect(new URL(licence.url).protocol).toBe("https:");
    }
  });

  test("that the documentation recommends is in force", () => {
    expect(RECOMMENDED_LICENCES.map(findLicenceId)).toEqual([...RECOMMENDED_LICENCES]);
  });
});

describe("the nearest licence", () => {
  test.each([
    ["CC-BY", "CC-BY-4.0"],
    ["cc by 4.0", "CC-BY-4.0"],
    ["ccby4", "CC-BY-4.0"],
    ["CC-BY-5.0", "CC-BY-4.0"],
    ["CC-BY-4.0 International", "CC-BY-4.0"],
    ["Creative Commons Attribution 4.0", "CC-BY-4.0"],
    ["CC-BY-SA", "CC-BY-SA-4.0"],
    ["CC-BY-NC", "CC-BY-NC-4.0"],
    ["CC0", "CC0-1.0"],
    ["odc-by", "ODC-By-1.0"],
    ["ODbL v1.0", "ODbL-1.0"],
    ["CDLA", "CDLA-Permissive-2.0"],
    ["GPLv3", "GPL-3.0-only"],
    ["GPL-3.0+", "GPL-3.0-or-later"],
    ["GPL-2.0", "GPL-2.0-only"],
    ["Apache", "Apache-2.0"],
    ["Apache License 2.0", "Apache-2.0"],
    ["MIT License", "MIT"],
    ["MIT OR Apache-2.0", "MIT"],
    ["bsd3", "BSD-3-Clause"],
    ["BSD-2-Clause-FreeBSD", "BSD-2-Clause"],
    ["public domain", "PDDL-1.0"],
    ["ODC-PDDL-1.0", "PDDL-1.0"],
    ["odc-odbl", "ODbL-1.0"],
    ["uk-ogl", "OGL-UK-3.0"],
    ["OGL-3.0", "OGL-UK-3.0"],
    ["UK-OGL-3.0", "OGL-UK-3.0"],
  ])("of %j is %s", (text, id) => {
    expect(findNearestLicence(text)).toBe(id);
  });

  test.each([
    "proprietary",
    "none",
    "the-game",
    "my-community",
    "x",
    "",
    " ",
    "🦆",
    "a".repeat(1_000_000),
    "-".repeat(100),
  ])("of %j is none", (text) => {
    expect(findNearestLicence(text)).toBeNull();
  });

  test("is in force for every deprecated identifier that has a successor", () => {
    const lost = deprecatedIds.filter((id) => findNearestLicence(id) === null);
    expect(lost).toEqual(["Net-SNMP", "Nunit", "StandardML-NJ", "wxWindows"]);
  });
});

test.each([
  ["CC-BY", "The license CC-BY is no SPDX identifier; CC-BY-4.0 is."],
  ["gpl-2.0", "The license GPL-2.0 is a deprecated SPDX identifier; GPL-2.0-only is in force."],
  [
    "wxWindows",
    "The license wxWindows is a deprecated SPDX identifier; take one in force from https://spdx.org/licenses/.",
  ],
  ["mine alone", "The license mine alone is no SPDX identifier; take one from https://spdx.org/licenses/."],
])("the refusal of %s says what to send instead", (text, sentence) => {
  expect(explainLicence(text, "license")).toBe(sentence);
});

"""Cuts the text face of the pages out of Source Serif 4; CONTRIBUTING.md says how to run this.

Needs fontTools with Brotli. The licence reserves the name "Source" for the whole face, so a part has another name.
"""

import hashlib
from pathlib import Path

from fontTools import merge, subset
from fontTools.ttLib import TTFont

FILES = Path("node_modules/@fontsource/source-serif-4/files")
HERE = Path(__file__).parent
NAME = "Broadsheet Serif"
# What texts in the languages of western Europe need, with the marks of typographers.
LETTERS = (
    "U+20-7E,U+A0,U+A1,U+AB,U+B0,U+B7,U+BB,U+BF-D6,U+D8-F6,U+F8-FF,U+131,U+152,U+153,"
    "U+2013,U+2014,U+2018-201A,U+201C-201E,U+2026,U+2039,U+203A,U+2212"
)
LATIN = f"{LETTERS},U+A3,U+A7,U+A9,U+B1-B3,U+B5,U+D7,U+F7,U+2022,U+2032,U+20AC"
# What central and eastern Europe, Turkey and Viet Nam write beyond that.
FURTHER = "U+100-130,U+132-151,U+154-17F,U+1A0,U+1A1,U+1AF,U+1B0,U+218-21B,U+1E9E,U+1EA0-1EF9"
# Kerning takes a third of a file, and italics stand in few words; headings are spaced, so they have no ligatures.
FACES = {
    "serif-400": (["latin-400-normal"], LATIN, "kern,liga"),
    "serif-600": (["latin-600-normal"], LATIN, "kern"),
    "serif-italic": (["latin-400-italic"], LETTERS, ""),
    "serif-further-400": (["latin-ext-400-normal", "vietnamese-400-normal"], FURTHER, ""),
    "serif-further-600": (["latin-ext-600-normal", "vietnamese-600-normal"], FURTHER, ""),
}


def cut(sources: list[str], unicodes: str, features: str) -> TTFont:
    options = subset.Options(layout_features=[tag for tag in features.split(",") if tag], hinting=False)
    wanted = subset.parse_unicodes(unicodes)
    parts = []
    for source in sources:
        font = TTFont(FILES / f"source-serif-4-{source}.woff2", recalcTimestamp=False)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=wanted)
        cutter.subset(font)
        wanted = [code for code in wanted if code not in font.getBestCmap()]
        parts.append(font)
    return parts[0] if len(parts) == 1 else join(parts)


def join(parts: list[TTFont]) -> TTFont:
    paths = []
    for at, part in enumerate(parts):
        paths.append(HERE / f"part-{at}.ttf")
        part.flavor = None
        part.save(paths[-1])
    try:
        return merge.Merger().merge([str(path) for path in paths])
    finally:
        for path in paths:
            path.unlink()


def rename(font: TTFont) -> None:
    names = font["name"]
    for record in list(names.names):
        if record.nameID in (1, 4, 16):
            names.setName(NAME, record.nameID, record.platformID, record.platEncID, record.langID)
        elif record.nameID == 6:
            names.setName(NAME.replace(" ", ""), 6, record.platformID, record.platEncID, record.langID)
        elif record.nameID not in (0, 2, 5, 13, 14):
            names.removeNames(record.nameID)


def main() -> None:
    for name, (sources, unicodes, features) in FACES.items():
        font = cut(sources, unicodes, features)
        if "STAT" in font:
            del font["STAT"]
        rename(font)
        font.flavor = "woff2"
        path = HERE / f"{name}.woff2"
        font.save(path)
        data = path.read_bytes()
        print(f"{name} {len(data)} bytes {hashlib.sha256(data).hexdigest()[:12]}")


main()

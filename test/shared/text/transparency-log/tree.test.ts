import { createPublicKey, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  readTlogProof,
  writeCheckpoint,
  writeTlogProof,
} from "../../../../shared/text/transparency-log/checkpoint.ts";
import {
  hashSpan,
  planConsistency,
  planInclusion,
  provesConsistency,
  rootOfInclusion,
  tilesOf,
} from "../../../../shared/text/transparency-log/proofs.ts";
import { openSigner } from "../../../../shared/text/transparency-log/signed-note.ts";
import {
  type Edge,
  EMPTY_ROOT,
  edgeWidths,
  growTree,
  hashEdge,
  hashLeaf,
  hasTile,
} from "../../../../shared/text/transparency-log/tree.ts";
import { runs } from "../../../support/depth.ts";
import { rootFromPath, treeHash, treeHashes, verifyProof } from "./oracle/verify-log.ts";

// The files of Sigstore's verifier that check checkpoints and proofs; its package exports neither.
const load = createRequire(import.meta.url);
const folder = fileURLToPath(import.meta.resolve("@sigstore/verify")).replace(/index\.js$/, "");
const sigstore = { ...load(`${folder}tlog/checkpoint.js`), ...load(`${folder}tlog/merkle.js`) };

/** A log in memory, grown in parts. */
function grow(parts: readonly number[]) {
  const entries: Buffer[] = [];
  const tiles = new Map<string, Buffer[]>();
  const roots = new Map<number, Buffer>();
  let edge: Edge = [];
  const put = (level: number, index: number, hash: Buffer) => {
    const key = `${level}/${Math.floor(index / 256)}`;
    tiles.set(key, [...(tiles.get(key) ?? []), hash]);
  };
  for (const part of parts) {
    const added = Array.from({ length: part }, (_, at) => Buffer.from(`entry ${entries.length + at}`));
    const leaves = added.map(hashLeaf);
    const grown = growTree(entries.length, edge, leaves);
    leaves.forEach((leaf, at) => {
      put(0, entries.length + at, leaf);
    });
    for (const { level, index, hash } of grown.nodes) put(level, index, hash);
    edge = grown.edge;
    entries.push(...added);
    roots.set(entries.length, grown.root);
  }
  return {
    entries,
    edge,
    roots,
    tile: (level: number, index: number) => Buffer.concat(tiles.get(`${level}/${index}`) ?? []),
  };
}

const log = grow([1, 255, 256, 1, 187, 1, 255, 1_044, 70_000, 3]);

describe("a tree that grows in parts", () => {
  test("has the root of RFC 6962 whatever its size", () => {
    const { entries, roots } = grow(Array.from({ length: 520 }, () => 1));
    for (const [size, root] of roots) {
      if (size > 140 && size % 256 > 6 && size % 7 !== 0) continue;
      expect([size, root]).toEqual([size, treeHash(entries.slice(0, size))]);
    }
    expect(growTree(0, [], []).root).toEqual(treeHash([]));
  });

  test("has the same root whatever the parts, over three levels of tiles", () => {
    const { entries, edge, roots } = log;
    for (const size of [1, 256, 512, 513, 700, 701, 956, 2_000]) {
      expect([size, roots.get(size)]).toEqual([size, treeHash(entries.slice(0, size))]);
    }
    expect(hashEdge(edge)).toEqual(roots.get(entries.length));
    expect(treeHashes(entries, roots.keys())).toEqual(new Map([[0, treeHash([])], ...roots]));
    expect(edge.map((hashes) => hashes.length)).toEqual(edgeWidths(entries.length));
  });
});

describe("proofs out of tiles", () => {
  const sizes = [1, 2, 3, 255, 256, 257, 700, 701, 956, 2_000, 65_536, 65_537, 70_003, 72_003];
  const size = log.entries.length;
  const rootAt = (at: number) => (at === 0 ? EMPTY_ROOT : hashSpan({ from: 0, to: at }, log.tile));

  test("inclusion holds for the oracle and for us, and for no other entry", () => {
    for (let run = 0; run < runs(800); run++) {
      const at = sizes[run % sizes.length] ?? size;
      const index = (run * 7_919) % at;
      const entry = log.entries[index] ?? Buffer.alloc(0);
      const path = planInclusion(index, { from: 0, to: at }).map((span) => hashSpan(span, log.tile));
      expect(rootFromPath(index, at, entry, path)).toEqual(rootAt(at));
      const rootOf = (leaf: Buffer, hashes = path, of = index) =>
        rootOfInclusion({ index: of, size: at, leaf }, hashes);
      expect(rootOf(hashLeaf(entry))).toEqual(rootAt(at));
      expect(rootOf(hashLeaf(Buffer.from("another")))).not.toEqual(rootAt(at));
      expect(rootOf(hashLeaf(entry), [...path, randomBytes(32)])).toBeNull();
      if (at > 1) expect(rootOf(hashLeaf(entry), path.slice(1))).toBeNull();
      expect(rootOf(hashLeaf(entry), path, at)).toBeNull();
    }
  });

  test("consistency holds between any two sizes, and with no other root", () => {
    for (const before of [0, ...sizes]) {
      for (const after of sizes.filter((one) => one >= before)) {
        const path = planConsistency(before, after).map((span) => hashSpan(span, log.tile));
        const [one, other] = [
          { size: before, root: rootAt(before) },
          { size: after, root: rootAt(after) },
        ];
        expect([before, after, provesConsistency(one, other, path)]).toEqual([before, after, true]);
        if (before === 0) continue;
        const wrong = { ...one, root: randomBytes(32) };
        expect(provesConsistency(wrong, other, path)).toBe(false);
        expect(provesConsistency(one, { ...other, root: randomBytes(32) }, path)).toBe(false);
        expect(provesConsistency(one, other, [...path, randomBytes(32)])).toBe(false);
        if (before < after) expect(provesConsistency(other, one, path)).toBe(false);
        if (path.length > 0) expect(provesConsistency(one, other, path.slice(1))).toBe(false);
      }
    }
  });

  test("takes only tiles that the tree has, each as wide as the tree has it", () => {
    for (const at of sizes) {
      const spans = [{ from: 0, to: at }, ...planInclusion(at - 1, { from: 0, to: at })];
      const needed = tilesOf(spans, at);
      expect(needed.every((tile) => hasTile(at, tile))).toBe(true);
      expect(needed.some((tile) => hasTile(at, { ...tile, width: tile.width + 1 }) && tile.width < 256)).toBe(
        false,
      );
    }
  });

  test("Sigstore's verifier takes a checkpoint and its proofs, and refuses a wrong leaf and another key", () => {
    const signer = openSigner("example.org/log", randomBytes(32));
    const jwk = {
      kty: "OKP",
      crv: "Ed25519",
      x: Buffer.from(signer.vkey.split("+").slice(2).join("+"), "base64").subarray(1).toString("base64url"),
    };
    const tlog = {
      logID: signer.id,
      publicKey: createPublicKey({ key: jwk, format: "jwk" }),
      baseURL: "https://example.org/log",
    };
    const note = writeCheckpoint({ origin: "example.org/log", size, root: rootAt(size) }, [signer]);
    for (const index of [0, 1, 255, 256, 700, size - 1]) {
      const entry = log.entries[index] ?? Buffer.alloc(0);
      const path = planInclusion(index, { from: 0, to: size }).map((span) => hashSpan(span, log.tile));
      const inclusionProof = { checkpoint: { envelope: note }, logIndex: String(index), hashes: path };
      const proven = { inclusionProof, canonicalizedBody: entry };
      const checkpoint = sigstore.verifyCheckpoint(proven, [tlog]);
      sigstore.verifyMerkleInclusion(proven, checkpoint);
      const wrong = { ...proven, canonicalizedBody: Buffer.from("another") };
      expect(() => sigstore.verifyMerkleInclusion(wrong, checkpoint)).toThrow(/does not match/);
      const proof = writeTlogProof({ extra: Buffer.from("{}"), index, path, checkpoint: note });
      expect(verifyProof(proof, signer.vkey, entry)).toBe(size);
      expect(readTlogProof(proof)).toEqual({ extra: Buffer.from("{}"), index, path, checkpoint: note });
      expect(() => verifyProof(proof, signer.vkey, Buffer.from("another"))).toThrow(/not in the tree/);
    }
    const other = { ...tlog, logID: openSigner("example.org/log", randomBytes(32)).id };
    const inclusionProof = { checkpoint: { envelope: note }, logIndex: "0", hashes: [] };
    expect(() => sigstore.verifyCheckpoint({ inclusionProof }, [other])).toThrow(/signature/);
  });

  test("what is no proof is read as none", () => {
    const whole = writeTlogProof({ extra: null, index: 0, path: [randomBytes(32)], checkpoint: "x\n" });
    expect(readTlogProof(whole)).toMatchObject({ extra: null, index: 0, checkpoint: "x\n" });
    for (const text of [
      "",
      whole.replace("@v1", "@v2"),
      whole.replace("index 0", "index 00"),
      whole.replace("index 0", "index -1"),
      whole.replace("index 0\n", ""),
      whole.replace("index 0\n", "index 0\nAAAA\n"),
      whole.replace("index 0\n", "extra ?\nindex 0\n"),
      whole.replace("\n\n", "\n"),
    ]) {
      expect([text, readTlogProof(text)]).toEqual([text, null]);
    }
  });
});

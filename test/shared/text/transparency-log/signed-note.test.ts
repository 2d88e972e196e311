import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { verifyCheckpoint, writeCheckpoint } from "../../../../shared/text/transparency-log/checkpoint.ts";
import { openCosigner, readWitness } from "../../../../shared/text/transparency-log/cosignature.ts";
import {
  openSigner,
  readNote,
  readSignerKey,
  readVerifier,
  verifyNote,
  writeNote,
  writeSignerKey,
} from "../../../../shared/text/transparency-log/signed-note.ts";
import { EMPTY_ROOT } from "../../../../shared/text/transparency-log/tree.ts";
import { verifySignedNote } from "./oracle/verify-log.ts";

// The examples of c2sp.org/signed-note and of Go's package note.
const C2SP_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const C2SP_NOTE =
  "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
const GO_SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_NOTE =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

const signerOf = (text: string) => {
  const key = readSignerKey(text);
  if (key === null) throw new Error("not a signer key");
  return openSigner(key.name, key.seed);
};
const verifierOf = (vkey: string) => {
  const verifier = readVerifier(vkey);
  if (verifier === null) throw new Error("not a verifier key");
  return verifier;
};
const makeSigner = (name: string) => openSigner(name, randomBytes(32));

test("the notes of the standard and of Go's package are verified, and a changed one is not", () => {
  expect(verifyNote(C2SP_NOTE, [verifierOf(C2SP_KEY)])).toBe("This is an example message.\n");
  expect(verifyNote(C2SP_NOTE.replace("This", "That"), [verifierOf(C2SP_KEY)])).toBeNull();
  expect(verifyNote(GO_NOTE, [verifierOf(GO_KEY)])).toMatch(/^If you think/);
  expect(verifyNote(GO_NOTE, [verifierOf(C2SP_KEY)])).toBeNull();
});

test("a signer key of Go's package signs byte for byte what Go signs", () => {
  const signer = signerOf(GO_SIGNER);
  expect(signer.vkey).toBe(GO_KEY);
  expect(writeNote(GO_NOTE.slice(0, GO_NOTE.indexOf("\n\n") + 1), [signer])).toBe(GO_NOTE);
  expect(writeSignerKey(readSignerKey(GO_SIGNER) ?? { name: "", seed: Buffer.alloc(32) })).toBe(GO_SIGNER);
});

test("what is no key is read as none", () => {
  const wrong = [
    "",
    GO_KEY,
    GO_SIGNER.replace("c74f20a3", "c74f20a4"),
    GO_SIGNER.replace("PeterNeumann", "Peter Neumann"),
    GO_SIGNER.slice(0, -4),
    `${GO_SIGNER} `,
  ];
  for (const text of wrong) expect([text, readSignerKey(text)]).toEqual([text, null]);
  for (const text of ["", "a+b", GO_SIGNER, GO_KEY.replace("c74f", "c74e"), `${GO_KEY}=`]) {
    expect([text, readVerifier(text)]).toEqual([text, null]);
  }
});

test("a note of two keys holds for who knows either, and not where the line of a known key is wrong", () => {
  const [one, other, third] = [makeSigner("a.example/log"), makeSigner("a.example/log"), makeSigner("b")];
  const note = writeNote("text\n", [one, other]);
  expect(verifySignedNote(note, one.vkey)).toBe("text\n");
  expect(verifySignedNote(note, other.vkey)).toBe("text\n");
  expect(verifyNote(note, [verifierOf(other.vkey)])).toBe("text\n");
  expect(verifyNote(note, [verifierOf(third.vkey)])).toBeNull();
  const forged = `${writeNote("text\n", [one])}${writeNote("other\n", [other]).split("\n\n")[1]}`;
  expect(verifyNote(forged, [verifierOf(one.vkey)])).toBe("text\n");
  expect(verifyNote(forged, [verifierOf(one.vkey), verifierOf(other.vkey)])).toBeNull();
});

test("what is no note is read as none", () => {
  const line = C2SP_NOTE.split("\n\n")[1];
  const wrong = [
    "",
    "text\n",
    "text\n\n",
    `text\n\n${line}`.slice(0, -1),
    `te\u0007xt\n\n${line}`,
    `te\rxt\n\n${line}`,
    "text\n\n\u2014 name AAAA\n",
    "text\n\n\u2014 name AAAAB\n",
    "text\n\n- name AAAAAAAA\n",
    `text\n\n${line}`.replace("foo ", "foo  "),
  ];
  for (const text of wrong) expect([text, readNote(text)]).toEqual([text, null]);
});

test("a checkpoint is that of its own log, and of an empty one too", () => {
  const signer = makeSigner("example.org/log");
  const known = [verifierOf(signer.vkey)];
  const note = writeCheckpoint({ origin: "example.org/log", size: 0, root: EMPTY_ROOT }, [signer]);
  expect(note.split("\n").slice(0, 3)).toEqual([
    "example.org/log",
    "0",
    "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  ]);
  expect(verifyCheckpoint(note, known)).toEqual({ origin: "example.org/log", size: 0, root: EMPTY_ROOT });
  const signed = (text: string) => verifyCheckpoint(writeNote(text, [signer]), known);
  const root = EMPTY_ROOT.toString("base64");
  expect(signed(`example.org/log\n12\n${root}\nan extension\n`)).toMatchObject({ size: 12 });
  for (const text of [
    `example.org/other\n12\n${root}\n`,
    `example.org/log\n012\n${root}\n`,
    `example.org/log\n-1\n${root}\n`,
    `example.org/log\n99999999999999999\n${root}\n`,
    "example.org/log\n12\nAAAA\n",
    `example.org/log\n12\n${root}\n\n`,
    "example.org/log\n12\n",
    "",
  ]) {
    expect([text, signed(text)]).toEqual([text, null]);
  }
});

test("a cosignature names its time", () => {
  const witness = openCosigner("example.org/witness", Buffer.alloc(32, 7));
  const isRight = (seconds: number) => {
    const [line] = readNote(`text\n\n${witness.cosign("text\n", seconds)}`)?.signatures ?? [];
    return readWitness(witness.vkey)?.verify("text\n", line?.signature ?? Buffer.alloc(0));
  };
  expect([isRight(1), isRight(0), isRight(2 ** 63)]).toEqual([true, false, false]);
});

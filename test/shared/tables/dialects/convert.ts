import { convertTable } from "../../../../shared/tables/dialects/convert-table.ts";
import { type Converted, type Dialect, DialectRefused } from "../../../../shared/tables/dialects/dialect.ts";
import { readStart, settleDialect } from "../../../../shared/tables/dialects/encodings.ts";
import { judgeTable, type TableVerdict } from "../../../../shared/tables/dialects/judge-table.ts";
import { FileRefused } from "../../../../shared/tables/inspection/verdict.ts";

export const MOST_BYTES = 100_000_000;

/** Opens bytes in pieces of the sizes that `nextSize` gives. */
export function openBytes(bytes: Uint8Array, nextSize: () => number = () => bytes.length) {
  return async function* () {
    for (let at = 0; at < bytes.length; ) {
      const size = Math.max(1, nextSize());
      yield bytes.subarray(at, at + size);
      at += size;
    }
  };
}

/** Converts text or bytes; a refusal of the file or of its dialect comes back as text. */
export async function convert(
  file: string | Uint8Array,
  dialect: Dialect,
  { nextSize, mostBytes = MOST_BYTES }: { nextSize?: () => number; mostBytes?: number } = {},
): Promise<{ text: string; told: Converted } | { refused: string; fields: string[] }> {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  const open = openBytes(bytes, nextSize);
  const conversion = convertTable(open, settleDialect(await readStart(open), dialect), mostBytes);
  const parts: Uint8Array[] = [];
  try {
    for await (const part of conversion.bytes) parts.push(part);
  } catch (error) {
    if (error instanceof FileRefused) return { refused: error.message, fields: ["file"] };
    if (error instanceof DialectRefused) return { refused: error.message, fields: Object.keys(error.faults) };
    throw error;
  }
  return { text: Buffer.concat(parts).toString(), told: conversion.finish() };
}

/** Reads a file as a worker does whose sender named nothing, or a dialect. */
export async function judge(file: string | Uint8Array, asked: Dialect | null = null): Promise<TableVerdict> {
  let stored: Buffer = Buffer.alloc(0);
  return await judgeTable(openBytes(typeof file === "string" ? Buffer.from(file) : file), {
    asked,
    mostBytes: MOST_BYTES,
    seeksPlan: true,
    async store(pieces) {
      const parts: Buffer[] = [];
      for await (const piece of pieces) parts.push(Buffer.from(piece));
      stored = Buffer.concat(parts);
      return { bytes: stored.length, sha256: "" };
    },
    openStored: () => openBytes(stored)(),
  });
}

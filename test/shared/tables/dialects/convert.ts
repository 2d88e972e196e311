import { convertTable } from "../../../../shared/tables/dialects/convert-table.ts";
import { type Converted, type Dialect, DialectRefused } from "../../../../shared/tables/dialects/dialect.ts";
import { FileRefused } from "../../../../shared/tables/inspection/verdict.ts";

export const MOST = { mostBytes: 100_000_000, mostCellBytes: 1_048_576 };

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
  { nextSize, ...options }: { nextSize?: () => number; mostBytes?: number; mostCellBytes?: number } = {},
): Promise<{ text: string; told: Converted } | { refused: string; fields: string[] }> {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  const conversion = convertTable(openBytes(bytes, nextSize), dialect, { ...MOST, ...options });
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

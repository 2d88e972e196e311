import { expect, test } from "vitest";
import { checksumOfRevision } from "../../../shared/ground/checksum.ts";
import accepted from "./accepted/payloads.json" with { type: "json" };
import { readOne } from "./samples.ts";

// Written by the version before payloads had a licence. Later members are emitted only where they were sent.
const FILE = "c496089c5b27b498f24c6f5ac09e0d53a57f46f9300ec57235cd59550f7be4b0";

test.each(accepted.map(({ request, ...was }) => [request.type, request, was] as const))(
  "a %s of before is emitted byte for byte as it was, with its checksum",
  (_type, request, { emitted, checksum }) => {
    const { payload } = readOne(request);
    expect(JSON.stringify(payload)).toBe(emitted);
    expect(checksumOfRevision(payload, [FILE])).toBe(checksum);
  },
);

import type { FastifyReply } from "fastify";
import { openBudget } from "../../shared/platform/concurrency/budget.ts";
import type { Form } from "./codings.ts";
import { groupAddress } from "./hooks/rate-limits.ts";

// An unread download takes some 200 KB: two pieces of the file and what its connection holds.
const MOST_DOWNLOADS = 192;
/** A browser opens ten; a proxy whose TRUST_PROXY is not set makes all readers one address. */
const MOST_OF_ONE_ADDRESS = 64;
const WAIT_MS = 2_000;
const MOST_WAITING = 256;
/** A packed download holds a packer of up to 1 MB more; those beyond this count are sent as they are. */
const MOST_PACKED = 32;
/** A download whose reader took nothing for so long ends when another one needs its place. */
const STALLED_AFTER_MS = 10_000;

/** The downloads that this process is sending. */
export type Downloads = ReturnType<typeof openDownloads>;

/** A counted download. */
export type Download = Awaited<ReturnType<Downloads["open"]>>;

interface Sending {
  raw: FastifyReply["raw"];
  movedMs: number;
  isPacked: boolean;
}

/** Opens the count of a process that sends none. */
export function openDownloads(
  now: () => number = () => performance.now(),
  { most = MOST_DOWNLOADS, mostOfOne = MOST_OF_ONE_ADDRESS, waitMs = WAIT_MS, mostPacked = MOST_PACKED } = {},
) {
  const budget = openBudget({ most, mostOfOne, waitMs, mostWaiting: MOST_WAITING });
  const sending = new Set<Sending>();
  const endStalled = () => {
    for (const { raw, movedMs } of sending) if (now() - movedMs >= STALLED_AFTER_MS) raw.destroy();
  };
  const countPacked = () => [...sending].filter(({ isPacked }) => isPacked).length;
  return {
    /** Counts a download until its answer has ended; where there are too many it waits, and throws 503 after two seconds. */
    async open(reply: FastifyReply) {
      const { raw, request } = reply;
      const release = await budget.take(groupAddress(request.ip), 1, endStalled);
      const one: Sending = { raw, movedMs: now(), isPacked: false };
      sending.add(one);
      const end = () => {
        sending.delete(one);
        release();
      };
      raw.once("close", end);
      if (raw.destroyed) end();
      return {
        reply,
        /** Passes the bytes on, and notes that their reader takes them. */
        watch: (bytes: AsyncIterable<Uint8Array>) => watch(one, bytes, now),
        /** The first of the forms that can be sent now: where many downloads are packed, the one that is not. */
        choose: (forms: readonly Form[]) => chooseForm(one, forms, countPacked() < mostPacked),
      };
    },
  };
}

function chooseForm(one: Sending, forms: readonly Form[], isRoom: boolean): Form {
  const [preferred] = forms;
  const plain = forms.find(({ coding }) => coding === null);
  const form = isRoom ? preferred : (plain ?? preferred);
  if (form === undefined) throw new Error("an answer has a form");
  one.isPacked = form.coding !== null;
  return form;
}

async function* watch(
  one: Sending,
  bytes: AsyncIterable<Uint8Array>,
  now: () => number,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    one.movedMs = now();
    yield piece;
  }
}

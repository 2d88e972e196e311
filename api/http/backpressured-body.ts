import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";

/**
 * A body whose next piece is asked for once the connection has taken the one before. An ordinary pipe asks earlier: an
 * unread download then holds several pieces, and their memory cannot be used again.
 */
export class PacedBody extends Readable {
  readonly #pieces: AsyncIterable<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    super({ read: () => undefined });
    this.#pieces = pieces;
  }

  /** Writes all pieces to an answer and ends it; an error of the pieces destroys this body. */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    if (!isAnswer(destination)) throw new Error("a paced body goes into an answer");
    this.#write(destination).catch((error) => this.destroy(error));
    return destination;
  }

  async #write(answer: ServerResponse): Promise<void> {
    let goOn = () => {};
    // An answer whose reader left never says that it took the piece.
    answer.once("close", () => goOn());
    for await (const piece of this.#pieces) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        answer.write(piece, () => resolve());
        if (answer.destroyed) resolve();
      });
      if (this.destroyed || answer.destroyed) return;
    }
    this.push(null);
    this.resume();
    answer.end();
  }
}

function isAnswer(destination: NodeJS.WritableStream): destination is ServerResponse {
  return "setHeader" in destination && "destroyed" in destination;
}

/** Opens a peer; where it is not on this machine, a line says so, and the other figures are measured without it. */
export async function openPeer<Peer>(name: string, open: () => Promise<Peer>): Promise<Peer | null> {
  try {
    return await open();
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    console.log(`${name} is left out: ${reason}`);
    return null;
  }
}

/** The entries of a list that are there. */
export function present<Item>(items: readonly (Item | null)[]): Item[] {
  return items.filter((item) => item !== null);
}

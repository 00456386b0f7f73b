/** Bits of one page: indexes are dense, so a page of 8 kB is mostly full. */
const PAGE_BITS = 2 ** 16;

/** Derivation indexes of account keys, one bit each: 10 million of them are 1.25 MB. */
export class IndexSet {
  readonly #pages = new Map<string, Uint8Array>();

  /** Adds indexes of an account key, four bytes each; returns those that were there already. */
  add(keyId: string, indexes: Buffer): number[] {
    const repeated: number[] = [];
    for (let at = 0; at < indexes.length; at += 4) {
      const index = indexes.readUInt32BE(at);
      const page = this.#pageOf(keyId, Math.floor(index / PAGE_BITS));
      const [place, bit] = [(index % PAGE_BITS) >> 3, 1 << (index & 7)];
      const bits = page[place] ?? 0;
      if ((bits & bit) !== 0) repeated.push(index);
      page[place] = bits | bit;
    }
    return repeated;
  }

  #pageOf(keyId: string, number: number): Uint8Array {
    const name = `${keyId}/${number}`;
    const known = this.#pages.get(name);
    if (known !== undefined) return known;
    const page = new Uint8Array(PAGE_BITS / 8);
    this.#pages.set(name, page);
    return page;
  }
}

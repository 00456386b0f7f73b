import { createForkChain } from "@daric/testing/fork-chain";
import { keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { beforeEach, describe, expect, it } from "vitest";
import type { TronNode } from "../chain/chain-reader.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { askSigners, type SignedId } from "./ask-signers.ts";

const [changed, evil] = ["changed", "evil"].map((name) => keyPairFromPhrase(`a test's ${name} key`)) as [
  ReturnType<typeof keyPairFromPhrase>,
  ReturnType<typeof keyPairFromPhrase>,
];
const KNOWN_AT = 20;
const CHANGED_AT = 30;

let headers: BlockHeader[];
beforeEach(async () => {
  const { reader, mine } = createForkChain(1_700_000_000_000);
  mine(40);
  const blocks = await Promise.all(Array.from({ length: 41 }, (_, at) => reader.getBlock(at)));
  headers = blocks.flatMap((block) => (block === undefined ? [] : [block.header]));
});

const signedBy = (header: BlockHeader, { privateKey }: typeof evil) => ({
  ...header,
  signatureHex: signHash(header.hashHex, privateKey),
});

/** A node that shows the block of the changed key signed by this one; and forges others where it is told to. */
function node(signer: typeof evil | undefined, isForging = false): Pick<TronNode, "getHeader"> {
  return {
    getHeader: async (number) => {
      if (signer === undefined) throw new Error("away");
      const header = headers[number];
      if (header === undefined) return undefined;
      if (number === CHANGED_AT) return signedBy(header, signer);
      return isForging ? signedBy(header, evil) : header;
    },
  };
}

const idOf = (number: number, signerHex: string): SignedId => ({
  number,
  signerHex,
  id: headers[number]?.id ?? "",
});

async function wordOf(...nodes: Pick<TronNode, "getHeader">[]) {
  const blocks = [idOf(CHANGED_AT, changed.address)];
  const known = idOf(KNOWN_AT, headers[KNOWN_AT]?.witnessHex ?? "");
  return (await askSigners(nodes, { blocks, known })).get(CHANGED_AT);
}

describe("the key of a block", () => {
  it("is what all nodes say where there are two, and each has said it", async () => {
    expect(await wordOf(node(changed), node(changed))).toBe("all");
    expect(await wordOf(node(changed))).toBe("alone");
    expect(await wordOf(node(changed), node(undefined))).toBe("alone");
  });

  it("is disputed where one says another, whichever it is", async () => {
    expect(await wordOf(node(changed), node(evil))).toBe("disputed");
    expect(await wordOf(node(evil), node(changed), node(changed))).toBe("disputed");
  });

  it("is not for those to say who forge the signature of a known key", async () => {
    expect(await wordOf(node(changed), node(evil, true))).toBe("alone");
    expect(await wordOf(node(changed, true), node(changed, true))).toBe("alone");
    expect(await wordOf(node(evil, true), node(evil))).toBe("disputed");
  });

  it("is not waited for from a node that is silent", async () => {
    const silent: Pick<TronNode, "getHeader"> = { getHeader: () => new Promise(() => {}) };
    expect(await wordOf(node(changed), silent)).toBe("alone");
  });
});

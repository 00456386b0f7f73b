import { createForkChain } from "@daric/testing/fork-chain";
import { nodeGroup, type TestReader } from "@daric/testing/watch";
import { someWitnesses } from "@daric/testing/witnesses";
import { keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { beforeEach, describe, expect, it } from "vitest";
import type { KnownKeys } from "./block-signer.ts";
import { signerOf } from "./block-signer.ts";
import type { BlockHeader } from "./parse-block.ts";

const keys: KnownKeys = new Map(someWitnesses().map(({ address }) => [address, address]));
const forger = keyPairFromPhrase("a test's forger");

let chain: ReturnType<typeof createForkChain>;
/** the paths that the node which is asked second was asked under */
let asked: string[];

beforeEach(() => {
  chain = createForkChain(1_700_000_000_000);
  chain.mine(40);
  asked = [];
});

/** Who shows each block as it is, but for who signed it. */
function signing(sign: (header: BlockHeader) => string): TestReader {
  const { reader } = chain;
  const forge = (header: BlockHeader): BlockHeader => ({ ...header, signatureHex: sign(header) });
  return {
    ...reader,
    getHeader: async (number) => {
      asked.push(`header ${number}`);
      const header = (await reader.getBlock(number))?.header;
      return header && forge(header);
    },
    fetchCompleteBlock: async (number) => {
      asked.push(`block ${number}`);
      const block = await reader.fetchCompleteBlock(number);
      const header = forge(block.header);
      return { ...block, header, signerHex: signerOf(header) };
    },
  };
}
const honest = () => signing(({ signatureHex }) => signatureHex);
const forging = () => signing(({ hashHex }) => signHash(hashHex, forger.privateKey));

/** The signers of some blocks, as the nodes together say them, and how often the second was asked. */
async function read(nodes: readonly TestReader[], known: KnownKeys = keys) {
  const group = nodeGroup(...nodes);
  group.knowKeys(known);
  const signers: (string | undefined)[] = [];
  for (let number = 1; number <= 27; number += 1) {
    const { outline } = await group.fetchSignedBlock({ number, usdtContractHex: "", isOld: false });
    signers.push(outline.signerHex);
  }
  return signers;
}
const truth = async () => {
  const blocks = await Promise.all(Array.from({ length: 27 }, (_, at) => chain.reader.getBlock(at + 1)));
  return blocks.map((block) => block && signerOf(block.header));
};

describe("a block whose signature no known key has made", () => {
  it("is stored with the true one where another node shows it, and the forger is asked last", async () => {
    expect(await read([forging(), honest()])).toEqual(await truth());
    expect(asked.slice(0, 3)).toEqual(["block 1", "header 1", "block 2"]);
    expect(asked).toHaveLength(1 + 1 + 26);
  });

  it("costs no call where nodes are honest, whichever of them leads", async () => {
    expect(await read([honest(), forging()])).toEqual(await truth());
    expect(asked).toHaveLength(27);
  });

  it("is taken as it was told where no node shows a known one: so a new key is learned", async () => {
    const told = await read([forging(), forging()]);
    expect(new Set(told)).toEqual(new Set([forger.address]));
    asked = [];
    expect(new Set(await read([forging()]))).toEqual(new Set([forger.address]));
    expect(asked).toHaveLength(27);
  });

  it("is none where the key of the witness's own address has made it, whatever key is known instead", async () => {
    const others: KnownKeys = new Map([...keys.keys()].map((witness) => [witness, forger.address]));
    expect(await read([honest(), forging()], others)).toEqual(await truth());
    expect(asked).toHaveLength(27);
  });

  it("is not looked at where nobody is known yet", async () => {
    expect(new Set(await read([forging(), honest()], new Map()))).toEqual(new Set([forger.address]));
    expect(asked).toHaveLength(27);
  });

  it("waits for no node that does not answer, nor for one of another branch", async () => {
    const silent: TestReader = { ...chain.reader, getHeader: () => Promise.reject(new Error("away")) };
    const elsewhere: TestReader = {
      ...chain.reader,
      getHeader: (number) => chain.reader.getBlock(number + 27).then((block) => block?.header),
    };
    expect(await read([forging(), silent, elsewhere, honest()])).toEqual(await truth());
  });
});

import { createHash } from "node:crypto";
import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import type { ChainReader, TronNode } from "@daric/chain/nodes/chain-reader";
import { publicNetworks } from "@daric/chain/nodes/networks";
import { amountIn } from "@daric/domain/money";
import { TRANSFER_TOPIC } from "@daric/tron/abi";
import { addressToHex, hexToAddress } from "@daric/tron/address";
import { createForkChain, type ForkChain } from "./fork-chain.ts";
import { usdtOn } from "./usdt.ts";

const OUTSIDE = `41${"11".repeat(20)}`;
const EXPIRES_AFTER_MS = 60_000;

/** A USDT transfer of a contract; by default from and to foreign addresses. Addresses are base58. */
export type UsdtTransfer = { readonly from?: string; readonly to?: string; readonly units: bigint };

export type RunReader = ChainReader & Pick<TronNode, "getSolidBalance">;

/** Alters the transfers of a run. */
type AlterTransfers = (transfers: readonly UsdtTransfer[]) => readonly UsdtTransfer[];

/** A fork chain with contract runs. The Merkle root does not prove their logs; balances follow from the chain. */
export type ForkRuns = {
  /** an honest node */
  readonly reader: RunReader;
  /** a node that invents one log in a block with a run */
  inventing(blockNumber: number, move: UsdtTransfer): RunReader;
  /** a node that alters the transfers of a block's first run */
  bending(blockNumber: number, alter: AlterTransfers): RunReader;
  /** queues one transaction with all these transfers for the next block; returns its id */
  run(...transfers: readonly UsdtTransfer[]): string;
  /** the USDT transfers of the current chain, by transaction and position */
  transfers(): Promise<{ txId: string; place: number; from: string; to: string; units: bigint }[]>;
  /** queues a native transfer from this address for the next block */
  spend(from: string, units: bigint): void;
};

/** A fork chain of 30 blocks with contract runs, starting now. */
export function startForkRuns(): { chain: ForkChain; runs: ForkRuns; startMs: number } {
  const startMs = Date.now();
  const chain = createForkChain(startMs);
  const runs = withRuns(chain, startMs);
  chain.mine(30);
  return { chain, runs, startMs };
}

function withRuns(chain: ForkChain, startMs: number): ForkRuns {
  const runs = new Map<string, readonly UsdtTransfer[]>();
  let serial = 0;
  const nextId = () => {
    serial += 1;
    return createHash("sha256").update(`run ${serial}`).digest("hex");
  };
  const common = { contractRet: "SUCCESS", expirationMs: startMs + 24 * 3_600_000 - EXPIRES_AFTER_MS };

  function complete(block: CompleteBlock, alter: AlterTransfers = (transfers) => transfers): CompleteBlock {
    const place = block.transactions.findIndex(({ contract }) => contract.kind === "vm");
    if (place === -1) return block;
    const infos = block.transactions.map(({ txId, contractRet, contract }, index) => {
      const moved = runs.get(txId) ?? [];
      const transfers = index === place ? alter(moved) : moved;
      const isRun = contract.kind === "vm";
      const verdict = { receiptResult: isRun ? contractRet : undefined, result: undefined };
      const logs = isRun ? transfers.map(logOf) : [];
      const of = { txId, blockNumber: block.header.number, blockTimeMs: block.header.timeMs };
      return { ...of, ...verdict, logs, ...{ internals: [], internalCount: 0 } };
    });
    return { ...block, infos };
  }

  async function balanceOf(addressHex: string, isToken: boolean): Promise<bigint> {
    const { number: solid } = await chain.reader.getSolidBlock();
    let balance = 0n;
    for (let number = 0; number <= solid; number += 1) {
      for (const { txId, contractRet, contract } of (await chain.reader.getBlock(number))?.transactions ??
        []) {
        if (contractRet !== "SUCCESS") continue;
        const native = contract.kind === "transfer" ? [contract] : [];
        const transfers = isToken ? (runs.get(txId) ?? []).map(hexOf) : native;
        for (const { fromHex, toHex, units } of transfers) {
          if (toHex === addressHex) balance += units;
          if (fromHex === addressHex) balance -= units;
        }
      }
    }
    return balance;
  }

  const reader: RunReader = {
    ...chain.reader,
    fetchCompleteBlock: async (...requested) => complete(await chain.reader.fetchCompleteBlock(...requested)),
    getSolidBalance: (address, token) => balanceOf(addressToHex(address), token !== undefined),
  };
  const bending = (blockNumber: number, alter: AlterTransfers): RunReader => ({
    ...reader,
    fetchCompleteBlock: async (number, parent) =>
      complete(
        await chain.reader.fetchCompleteBlock(number, parent),
        number === blockNumber ? alter : undefined,
      ),
  });
  return {
    reader,
    bending,
    inventing: (blockNumber, move) => bending(blockNumber, (transfers) => [...transfers, move]),
    run: (...transfers) => {
      const txId = nextId();
      runs.set(txId, transfers);
      chain.include({ ...common, txId, contract: { kind: "vm" } });
      return txId;
    },
    transfers: async () => {
      const { number: head } = await chain.reader.getHeadBlock();
      const blocks = await Promise.all(
        Array.from({ length: head + 1 }, (_, number) => chain.reader.getBlock(number)),
      );
      const succeeded = blocks.flatMap((block) =>
        (block?.transactions ?? []).filter(({ contractRet }) => contractRet === "SUCCESS"),
      );
      return succeeded.flatMap(({ txId }) =>
        (runs.get(txId) ?? []).map((move, place) => {
          const { fromHex, toHex, units } = hexOf(move);
          return { txId, place, from: hexToAddress(fromHex), to: hexToAddress(toHex), units };
        }),
      );
    },
    spend: (from, units) => {
      const fromHex = addressToHex(from);
      const contract = { kind: "transfer", fromHex, toHex: OUTSIDE, units: amountIn("TRX", units) } as const;
      chain.include({ ...common, txId: nextId(), contract });
    },
  };
}

function hexOf({ from, to, units }: UsdtTransfer) {
  const hex = (address: string | undefined) => (address === undefined ? OUTSIDE : addressToHex(address));
  return { fromHex: hex(from), toHex: hex(to), units };
}

function logOf(move: UsdtTransfer) {
  const { fromHex, toHex, units } = hexOf(move);
  const word = (addressHex: string) => addressHex.slice(2).padStart(64, "0");
  return {
    addressHex: usdtOn(publicNetworks.nile).contractHex.slice(2),
    topics: [TRANSFER_TOPIC, word(fromHex), word(toHex)],
    data: units.toString(16).padStart(64, "0"),
  };
}

import { addressAt, topicOf, uintAt } from "@daric/tron/abi";
import { type LocalChain, solidOf } from "../chain/chain.ts";
import { blockAt, type StoredBlock } from "../chain/chain-store.ts";
import type { AbiEntry, AbiParameter, ContractLog } from "../contract/contract-runtime.ts";
import { USDT_ABI } from "../contract/usdt-abi.ts";

/** A decoded log with its place: block, transaction in the block, log of the transaction. */
export type ChainEvent = {
  readonly place: readonly [block: number, transaction: number, log: number];
  /** milliseconds */
  readonly timestamp: number;
  readonly txId: string;
  /** 21-byte hex */
  readonly contract: string;
  readonly name: string;
  readonly inputs: readonly (AbiParameter & { readonly value: EventValue })[];
  readonly isSolid: boolean;
};

/** An address as 21-byte hex, or a number. */
export type EventValue = string | bigint;

/** Blocks to search, both ends included. */
export type BlockSpan = { readonly from: number; readonly to: number };

/** Both tokens emit these events. */
const EVENTS: ReadonlyMap<string, AbiEntry> = new Map(
  USDT_ABI.filter(({ type }) => type === "Event").map((entry) => [topicOf(signatureOf(entry)), entry]),
);

/** The events of the blocks of a span, oldest first, or newest first. Blocks are read as they are asked for. */
export function* eventsIn(
  chain: LocalChain,
  { from, to }: BlockSpan,
  isNewestFirst: boolean,
): Generator<ChainEvent> {
  const blocks = Math.max(0, to - from + 1);
  for (let step = 0; step < blocks; step += 1) {
    const number = isNewestFirst ? to - step : from + step;
    const isEmpty = (chain.store.txIds[number]?.length ?? 0) === 0;
    const stored = isEmpty ? undefined : blockAt(chain.store, number);
    if (stored === undefined) continue;
    const events = eventsOf(stored, number <= solidOf(chain));
    yield* isNewestFirst ? events.toReversed() : events;
  }
}

/** A positive number if the first place is later. */
export function comparePlaces(left: ChainEvent["place"], right: ChainEvent["place"]): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function eventsOf({ block, outcomes }: StoredBlock, isSolid: boolean): ChainEvent[] {
  const { number, timestamp } = block.header;
  return outcomes.flatMap(({ txId, logs }, transaction) =>
    logs.flatMap((log, index) => {
      const entry = EVENTS.get(log.topics[0] ?? "");
      if (entry === undefined) return [];
      const place = [number, transaction, index] as const;
      const contract = `41${log.address}`;
      return {
        place,
        timestamp,
        txId,
        contract,
        name: entry.name,
        inputs: decodeInputs(entry, log),
        isSolid,
      };
    }),
  );
}

/** Indexed parameters are topics, the others words of the data, each in their order. */
function decodeInputs({ inputs = [] }: AbiEntry, { topics, data }: ContractLog): ChainEvent["inputs"] {
  const [indexed, plain] = [topics.slice(1), data.match(/.{64}/g) ?? []];
  return inputs.map((input) => {
    const word = (input.indexed ? indexed : plain).shift() ?? "";
    // The readers expect a selector before the words.
    const call = `00000000${word}`;
    return { ...input, value: input.type === "address" ? addressAt(call, 0) : uintAt(call, 0) };
  });
}

function signatureOf({ name, inputs = [] }: AbiEntry): string {
  return `${name}(${inputs.map(({ type }) => type).join(",")})`;
}

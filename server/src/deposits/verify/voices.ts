import { setTimeout as sleep } from "node:timers/promises";
import { foldInfos, foreignInfos } from "../../chain/blocks/fold-infos.ts";
import { isMissingBlock, NodeError } from "../../chain/blocks/node-error.ts";
import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { WatcherContext } from "../context.ts";
import { matchable, matchBlocks } from "../record/match-transfers.ts";
import type { NodeVoice } from "./agree.ts";
import type { Voice, VoiceMemory } from "./memory.ts";
import type { Verifier } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

/** A step waits so long for nodes; what they answer later is there for the next one. */
const MAX_WAIT_MS = 3_000;
/** So many failures in a row, and the node is left alone for a while. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 15_000;
/** On every public network some call in so many sends TRX: a node that has told so many without one does not store them. */
const MANY_CALLS = 200;
/** Calls to one node under way at once. */
const CALLS_AT_ONCE = 6;

/** A block of which infos are to be read; that it has some is known. */
export type InfosOf = SolidBlock & { readonly infosDigest: string };

/**
 * Has so many nodes tell each of these blocks, those told already counted, and waits a few seconds for them. The next node is
 * asked where one fails. What a node answers is remembered until the block is verified, so that no failure of another node has it
 * asked again.
 */
export async function askVoices(
  context: WatcherContext,
  verifier: Verifier,
  { blocks, needed }: { blocks: readonly InfosOf[]; needed: number },
): Promise<void> {
  const { voices } = verifier.verifying;
  const deadline = sleep(MAX_WAIT_MS, undefined, { ref: false });
  const busy = new Map<number, number>();
  const tried = new Map<string, Set<number>>();
  const isRoom = (place: number) => (busy.get(place) ?? 0) < CALLS_AT_ONCE;
  let isOver = false;
  void deadline.then(() => {
    isOver = true;
  });
  const fill = async (block: InfosOf): Promise<void> => {
    const places = tried.get(block.blockId) ?? new Set<number>();
    tried.set(block.blockId, places);
    while (!isOver && countTold(voices, block) < needed) {
      const open = nodesToAsk(context, verifier, { block, tried: places });
      const missing = needed - countTold(voices, block);
      const next = open.filter(isRoom).slice(0, missing);
      if (open.length === 0) return;
      if (next.length === 0) {
        await Promise.race([...voices.asking.values(), deadline]);
        continue;
      }
      await Promise.all(
        next.map(async (place) => {
          places.add(place);
          busy.set(place, (busy.get(place) ?? 0) + 1);
          await ask(context, verifier, { block, place });
          busy.set(place, (busy.get(place) ?? 1) - 1);
        }),
      );
    }
  };
  await Promise.race([Promise.all(blocks.map(fill)), deadline]);
  noteSlow(voices, busy);
  await matchArrived(context, verifier);
}

/** What nodes told of a block, as voices; a node that is not known to store internal transfers has none about them. */
export function voicesOf(verifier: Verifier, { blockId }: SolidBlock): (NodeVoice & Voice)[] {
  const { voices } = verifier.verifying;
  return [...(voices.told.get(blockId) ?? [])].map(([place, voice]) => ({
    ...voice,
    node: labelOf(verifier, place),
    storesInternals: voices.storesInternals.has(place),
    strange: new Set<string>(),
  }));
}

/** What no block needs any more is forgotten. */
export function forgetVoices(verifier: Verifier, isNeeded: (blockId: string) => boolean): void {
  const { told } = verifier.verifying.voices;
  for (const blockId of told.keys()) if (!isNeeded(blockId)) told.delete(blockId);
}

/** Two nodes of one host have one label. */
export function labelOf({ client: { nodes } }: Pick<Verifier, "client">, place: number): string {
  const label = nodes[place]?.label ?? "";
  const isFirst = nodes.findIndex((node) => node.label === label) === place;
  return isFirst ? label : `${label} (${place + 1}. of TRON_NODE_URLS)`;
}

/** Why nodes are left alone now, in words. */
export function wordsOfResting(
  context: Pick<WatcherContext, "clock">,
  verifier: Pick<Verifier, "client" | "verifying">,
): string[] {
  const nowMs = context.clock.monotonicMs();
  return [...verifier.verifying.voices.failures].flatMap(([place, { untilMs, words }]) =>
    untilMs > nowMs ? [`${labelOf(verifier, place)}: ${words}`] : [],
  );
}

/** Counts a call to a node, so that one that fails again and again is left alone for a while. */
export function noteAnswer(
  { clock }: Pick<WatcherContext, "clock">,
  { verifying }: Pick<Verifier, "verifying">,
  { place, failure }: { place: number; failure: NodeError | undefined },
): void {
  const { failures } = verifying.voices;
  if (failure === undefined) {
    failures.delete(place);
    return;
  }
  const count = (failures.get(place)?.count ?? 0) + 1;
  const restMs = failure.retryAfterMs ?? (count >= FAILURES_BEFORE_REST ? REST_MS : 0);
  failures.set(place, { count, untilMs: clock.monotonicMs() + restMs, words: failure.words });
}

/** Whether a node is to be left alone now. */
export function isResting(
  context: Pick<WatcherContext, "clock">,
  { verifying }: Pick<Verifier, "verifying">,
  place: number,
): boolean {
  return (verifying.voices.failures.get(place)?.untilMs ?? 0) > context.clock.monotonicMs();
}

function countTold({ told, arrived }: VoiceMemory, { blockId }: SolidBlock): number {
  return (told.get(blockId)?.size ?? 0) + arrived.filter(({ block }) => block.blockId === blockId).length;
}

function nodesToAsk(
  context: WatcherContext,
  verifier: Verifier,
  { block: { blockId }, tried }: { block: SolidBlock; tried: ReadonlySet<number> },
): number[] {
  const { voices, outcasts } = verifier.verifying;
  const open = verifier.client.nodes.flatMap((_, place) => {
    const isTold =
      voices.told.get(blockId)?.has(place) ||
      voices.arrived.some((one) => one.block.blockId === blockId && one.place === place);
    const isOut = tried.has(place) || outcasts.has(place) || isResting(context, verifier, place);
    return isTold || isOut ? [] : [place];
  });
  const slowness = (place: number) => (voices.slow.has(place) ? 1 : 0);
  return open.toSorted((a, b) => slowness(a) - slowness(b) || rankOf(voices, a) - rankOf(voices, b));
}

/** A node that keeps a whole look waiting is asked after the others in the next ones. */
function noteSlow({ slow }: VoiceMemory, busy: ReadonlyMap<number, number>): void {
  for (const [place, calls] of busy) {
    if (calls > 0) slow.add(place);
    else slow.delete(place);
  }
}

function noteInternals(
  { storesInternals, callsWithout }: VoiceMemory,
  place: number,
  infos: readonly TransactionInfo[],
): void {
  if (infos.some(({ internalCount }) => internalCount > 0)) storesInternals.add(place);
  const calls = infos.filter(({ receiptResult }) => receiptResult === "SUCCESS").length;
  callsWithout.set(place, (callsWithout.get(place) ?? 0) + calls);
}

/** The nodes that have told so many contract calls without an internal transfer that they do not store them. */
export function nodesWithoutInternals(verifier: Pick<Verifier, "client" | "verifying">): string[] {
  return verifier.client.nodes.flatMap((_, place) =>
    rankOf(verifier.verifying.voices, place) === 2 ? [labelOf(verifier, place)] : [],
  );
}

/** Nodes that store internal transfers are asked before those of which it is not known, and these before the others. */
function rankOf({ storesInternals, callsWithout }: VoiceMemory, place: number): 0 | 1 | 2 {
  if (storesInternals.has(place)) return 0;
  return (callsWithout.get(place) ?? 0) < MANY_CALLS ? 1 : 2;
}

/** Asks one node of one block, unless it is being asked already. */
function ask(
  context: WatcherContext,
  verifier: Verifier,
  { block, place }: { block: InfosOf; place: number },
): Promise<void> {
  const { voices } = verifier.verifying;
  const node = verifier.client.nodes[place];
  const key = `${place}/${block.blockId}`;
  const known = voices.asking.get(key);
  if (known !== undefined || node === undefined) return known ?? Promise.resolve();
  const asking = readInfos(node, block)
    .then((infos) => {
      voices.arrived.push({ block, place, infos });
      noteInternals(voices, place, infos);
      noteAnswer(context, verifier, { place, failure: undefined });
    })
    .catch((error: unknown) => {
      // Nothing waits for an answer that comes late, so nothing else would show this.
      if (!(error instanceof NodeError))
        context.log.error({ err: error }, "a block cannot be read a second time");
      else if (!isMissingBlock(error)) noteAnswer(context, verifier, { place, failure: error });
    })
    .finally(() => voices.asking.delete(key));
  voices.asking.set(key, asking);
  return asking;
}

/**
 * The infos of a block of ours as this node has them.
 *
 * @throws NodeError where it has none, or those of another block.
 */
async function readInfos(node: TronNode, block: InfosOf): Promise<readonly TransactionInfo[]> {
  const { number, time, infosDigest } = block;
  const infos = await node.getTransactionInfos(number);
  const fault = foreignInfos(infos, { number, timeMs: time.getTime(), infosDigest });
  if (fault === undefined) return infos;
  const isMissing = infos.length === 0;
  throw new NodeError(isMissing ? `has no infos of block ${number}` : `block ${number}: ${fault}`, {
    fault: isMissing ? "behind" : "unexpected_answer",
    node: node.label,
  });
}

/** Finds what of the answers that have come concerns our addresses, all of them in one question. */
async function matchArrived(context: WatcherContext, verifier: Verifier): Promise<void> {
  const { voices } = verifier.verifying;
  const arrived = voices.arrived.splice(0);
  if (arrived.length === 0) return;
  const { name: network, usdtContractHex } = verifier.network;
  const blocks = arrived.map(({ block, infos }) =>
    matchable({ ...foldInfos({ number: block.number, infos }, usdtContractHex), network, block }),
  );
  const matched = await context.db.transaction((tx) => matchBlocks(tx, blocks, verifier.owners.find));
  for (const [at, { block, place, infos }] of arrived.entries()) {
    const matches = matched[at]?.();
    if (matches === undefined) continue;
    const ours = new Set(
      [matches.sightings, matches.outflows, matches.unassigned, matches.unsupported]
        .flat()
        .map(({ txId }) => txId),
    );
    const ofBlock = voices.told.get(block.blockId) ?? new Map<number, Voice>();
    // A run that is told as a failed one pays none of ours: the block's own bytes say whether that is so.
    const isKept = ({ txId, receiptResult }: TransactionInfo) =>
      ours.has(txId) || (receiptResult !== undefined && receiptResult !== "SUCCESS");
    ofBlock.set(place, { matches, infos: infos.filter(isKept) });
    voices.told.set(block.blockId, ofBlock);
  }
}

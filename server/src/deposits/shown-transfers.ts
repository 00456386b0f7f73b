import { addressToHex } from "@daric/tron/address";
import type { Transfer } from "../chain/decode-transfers.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory, Shown } from "./clearance.ts";
import type { ToldTransfers } from "./others-store.ts";

/** Which node, by its place, was asked for which block of ours, and the solid block at which it was. */
type Asking = { readonly blockId: string; readonly place: number; readonly askedAt: number };

/** Before any block. */
export const NEVER = -1;

/** It may fail to answer, or tell another block: what it told before stands, and other blocks come first. */
export function noteAsked(
  { shown }: ClearingMemory,
  { blockId, place, askedAt, isOther = false }: Asking & { readonly isOther?: boolean },
): void {
  const ofBlock = shown.get(blockId) ?? new Map<number, Shown>();
  shown.set(blockId, ofBlock.set(place, { transfers: ofBlock.get(place)?.transfers, askedAt, isOther }));
}

/** Of a block that somebody has just told the nodes are asked as soon as can be, however long that would wait otherwise. */
export function askSoon({ shown }: Pick<ClearingMemory, "shown">, blockId: string): void {
  const ofBlock = shown.get(blockId);
  for (const [place, shows] of ofBlock ?? []) ofBlock?.set(place, { ...shows, askedAt: NEVER });
}

/** Remembers what the node at this place shows in a block of ours. */
export function rememberShown(
  { shown }: ClearingMemory,
  { blockId, place, transfers, askedAt }: Asking & { readonly transfers: readonly Transfer[] },
): void {
  const shows = { transfers: new Set(transfers.map(keyOfTransfer)), askedAt, isOther: false };
  shown.set(blockId, (shown.get(blockId) ?? new Map()).set(place, shows));
}

/** How many nodes show this deposit in its block, and how many have told of it. */
export function countShown(
  deposit: UncoveredDeposit,
  { shown }: Pick<ClearingMemory, "shown">,
): { shows: number; asked: number } {
  const nodes = [...(shown.get(deposit.blockId)?.values() ?? [])];
  const told = nodes.flatMap(({ transfers }) => transfers ?? []);
  const key = keyOfDeposit(deposit);
  return { shows: told.filter((transfers) => transfers.has(key)).length, asked: told.length };
}

/** Which blocks were told, and what is shown in them to these addresses. */
export function toldTransfers(
  { shown }: Pick<ClearingMemory, "shown">,
  purses: readonly { readonly address: string }[],
): ToldTransfers {
  const hexes = new Set(purses.map(({ address }) => addressToHex(address)));
  const blockIds: string[] = [];
  const keys: string[] = [];
  for (const [blockId, ofBlock] of shown)
    for (const { transfers } of ofBlock.values()) {
      if (transfers === undefined) continue;
      blockIds.push(blockId);
      for (const key of transfers) if (hexes.has(payeeOf(key))) keys.push(key);
    }
  return { blockIds, keys };
}

function keyOfTransfer({ txId, source, eventIndex, toHex, currency, units }: Transfer): string {
  return [txId, source, eventIndex, toHex, currency, units].join("/");
}

function keyOfDeposit({ txId, source, eventIndex, address, currency, amount }: UncoveredDeposit): string {
  return [txId, source, eventIndex, addressToHex(address), currency, amount].join("/");
}

function payeeOf(key: string): string {
  return key.split("/")[PAYEE] ?? "";
}

/** Where in a key the address is. */
const PAYEE = 3;

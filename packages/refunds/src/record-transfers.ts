import { judgeTransfer, refundMachine } from "@daric/domain/refund";
import type { Transaction } from "@daric/postgres/sql";
import { isSameMac } from "@daric/runtime/mac";
import { type AddressRow, toAddress } from "./address-store.ts";
import { changeRefund, moveRefund, type RefundContext, requireOurs } from "./change-refund.ts";
import { refundAddressMac, type SealingContext } from "./refund.ts";
import { type LockedRefund, lockRefunds } from "./store.ts";
import {
  findGiven,
  type GivenTransfer,
  giveTransfer,
  listPayingWallets,
  type PayingWallets,
  payingWalletKey,
  type RefundTransfer,
  transferMac,
} from "./transfer-store.ts";

/** A transfer of a block to a watched address, with the refunds that watch it. */
export type SeenTransfer = RefundTransfer & {
  readonly isMerkleProven: boolean;
  readonly watchedBy: readonly AddressRow[];
};

/**
 * Gives the transfers of a block to the refunds that they pay: each to the oldest that it fits, which is SENT by it. One that fits less is a proposal.
 * A transfer that left the chain and is read again keeps its refund. A second call for a block changes nothing. It writes no event.
 */
export async function recordRefundTransfers(
  context: RefundContext,
  tx: Transaction,
  transfers: readonly SeenTransfer[],
): Promise<void> {
  const [first] = transfers;
  if (first === undefined) return;
  const given = await findGiven(
    tx,
    first.network,
    transfers.map(({ txId }) => txId),
  );
  const keyOf = ({ txId, source, eventIndex }: RefundTransfer) => `${txId} ${source} ${eventIndex}`;
  const known = new Map(given.map((row) => [keyOf(row), row]));
  const watching = transfers.flatMap(({ watchedBy }) => watchedBy);
  const refs = [...watching, ...given].map(({ merchantId, refundId: id }) => ({ merchantId, id }));
  const locked = await lockRefunds(tx, [
    ...new Map(refs.map((ref) => [`${ref.merchantId} ${ref.id}`, ref])).values(),
  ]);
  const refunds = new Map(
    locked.filter((refund) => requireOurs(context, refund)).map((refund) => [refund.id, refund]),
  );
  const wallets = await listPayingWallets(tx, context, [
    ...new Set(refs.map(({ merchantId }) => merchantId)),
  ]);
  for (const transfer of transfers) {
    const before = known.get(keyOf(transfer));
    const found = before === undefined ? choose(context, transfer, { refunds, wallets }) : again(before);
    if (found === undefined) continue;
    const refund = refunds.get(found.refundId);
    if (refund === undefined) continue;
    const { watchedBy: _, isMerkleProven: __, ...seen } = transfer;
    const row = { ...seen, confirmedBy: null, ...found };
    const isGiven = await giveTransfer(tx, { ...row, mac: transferMac(context, row) });
    if (isGiven && row.status === "TAKEN")
      refunds.set(refund.id, await takeTransfer(context, tx, { refund, ...seen }));
  }
}

/** The refund is SENT by a transfer. A canceled one stays canceled until the transfer is final. */
export async function takeTransfer(
  context: SealingContext,
  tx: Transaction,
  { refund, txId }: { readonly refund: LockedRefund; readonly txId: string },
): Promise<LockedRefund> {
  const sent = { refund, txId, sentAt: refund.now, frozenUntil: null } as const;
  if (isPayable(refund)) return moveRefund(context, tx, { ...sent, event: "seen" });
  return refund.status === "CANCELED" ? changeRefund(context, tx, sent) : refund;
}

type Choice = Pick<GivenTransfer, "merchantId" | "refundId" | "status"> &
  Partial<Pick<GivenTransfer, "confirmedBy">>;

/** A transfer that was given before, also one that had left the chain for good. */
function again({ merchantId, refundId, status, confirmedBy }: GivenTransfer): Choice {
  return { merchantId, refundId, confirmedBy, status: status === "DROPPED" ? "TAKEN" : status };
}

/** The oldest refund that the transfer is; else the oldest that it may be. */
function choose(
  context: RefundContext,
  transfer: SeenTransfer,
  known: { readonly refunds: ReadonlyMap<string, LockedRefund>; readonly wallets: PayingWallets },
): Choice | undefined {
  const { fromAddress, watchedBy } = transfer;
  const { settlement, confirmed } = known.wallets;
  const keyOf = ({ merchantId }: AddressRow) => payingWalletKey(merchantId, fromAddress);
  // A merchant may have confirmed the settlement wallet of another one.
  const owners = watchedBy.filter((watched) => settlement.has(keyOf(watched)));
  const judged = (owners.length > 0 ? owners : watchedBy).flatMap((watched) => {
    const refund = known.refunds.get(watched.refundId);
    const address = toAddress(watched);
    if (refund === undefined || !isAwaiting(refund)) return [];
    if (!isSameMac(watched.mac, refundAddressMac(context, address))) return [];
    const isPayingWallet = owners.length > 0 || confirmed.has(keyOf(watched));
    const verdict = judgeTransfer(address, transfer, isPayingWallet);
    return verdict === undefined ? [] : [{ refund, verdict }];
  });
  const inOrder = judged.toSorted((one, other) => timeOf(one.refund) - timeOf(other.refund));
  const chosen = inOrder.find(({ verdict }) => verdict === "refund") ?? inOrder[0];
  if (chosen === undefined) return undefined;
  const { refund, verdict } = chosen;
  const status = verdict === "refund" ? "TAKEN" : "PROPOSED";
  return { merchantId: refund.merchantId, refundId: refund.id, status };
}

/** A refund that no transfer has paid yet. A canceled one stays so until the transfer is final. */
function isAwaiting({ status, txId }: LockedRefund): boolean {
  return txId === null && (isPayable({ status }) || status === "CANCELED");
}

function isPayable({ status }: Pick<LockedRefund, "status">): boolean {
  return refundMachine.next(status, "seen") !== undefined;
}

function timeOf({ readyAt, requestedAt }: LockedRefund): number {
  return (readyAt ?? requestedAt).getTime();
}

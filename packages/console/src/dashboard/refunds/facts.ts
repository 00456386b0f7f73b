import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { type Charge, findCharge } from "@daric/charges/charge";
import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { type ChargeRef, type PersonId, refKey } from "@daric/domain/ids";
import { type Amount, larger, subtract, zero } from "@daric/domain/money";
import { defaultRefund, refundableOf, surplusOf } from "@daric/domain/refund";
import { networkLabel, type ReadNetwork } from "@daric/hosted-checkout/page/view";
import type { Database, Queryable } from "@daric/postgres/sql";
import { listAddressesOf } from "@daric/refunds/address-store";
import { closedBy } from "@daric/refunds/claim-refund";
import {
  isRefundOurs,
  type Refund,
  type RefundRef,
  refundAddressMac,
  type SealingContext,
} from "@daric/refunds/refund";
import { countOtherDeciders, findRefund, listReceivedCoins, listRefundsOf } from "@daric/refunds/store";
import { findPaidByPayee, sumPromised } from "@daric/refunds/task-store";
import { isTransferOurs, listTransfersOf } from "@daric/refunds/transfer-store";
import { isSameMac } from "@daric/runtime/mac";
import { type FoundTerms, readSweepTerms } from "@daric/settlement/plan/terms-store";
import { type Asker, findAskers } from "./name-store.ts";

/** The context of reading refunds, and the network on which they are paid. */
export type FactsContext = SealingContext & {
  readonly db: Database;
  readonly config: { readonly chain: NetworkSettings };
  readonly currentChain: () => { readonly network: ReadNetwork } | undefined;
};

export type ListedTransfer = Awaited<ReturnType<typeof listTransfersOf>>[number];

/** The facts that a person must know about a refund before money leaves. */
export type RefundFacts = {
  readonly refund: Refund;
  readonly isOurs: boolean;
  readonly asker: Asker | undefined;
  /** whether its address sent confirmed money of the order; null without an address */
  readonly hasPaid: boolean | null;
  /** addresses that it had before */
  readonly replaced: readonly string[];
  readonly transfers: readonly ListedTransfer[];
  /** whether this person may confirm it: another one must where the person asked for it */
  readonly mayConfirm: boolean;
  readonly isClaimOpen: boolean;
  readonly network: ReturnType<typeof networkLabel>;
  readonly terms: FoundTerms | undefined;
};

/** @throws NOT_FOUND */
export async function readFacts(
  context: FactsContext,
  { personId, ...ref }: RefundRef & { readonly personId: PersonId },
): Promise<RefundFacts> {
  const { merchantId } = ref;
  const tenant = context.db.forTenant(merchantId);
  const refund = await findRefund(tenant, ref);
  if (refund === undefined) throw new ApiError("NOT_FOUND");
  const isOurs = isRefundOurs(context, refund);
  const askerOf = await findAskers(tenant, merchantId, [refund]);
  const paid = await findPaidByPayee(tenant, [refund]);
  const isOwn = refund.askedBy === personId;
  return {
    refund,
    isOurs,
    asker: askerOf(refund),
    hasPaid: refund.address === null || !isOurs ? null : paid.has(refKey(refund)),
    replaced: await replacedOf(context, tenant, refund),
    transfers: await transfersOf(context, tenant, refund),
    mayConfirm: !isOwn || (await countOtherDeciders(tenant, { merchantId, personId })) === 0,
    isClaimOpen: closedBy(refund) === undefined,
    network: networkLabel(context.config.chain, context.currentChain()?.network),
    terms: await termsOf(context.db, refund.currency),
  };
}

async function termsOf(db: Queryable, currency: Currency): Promise<FoundTerms | undefined> {
  return (await readSweepTerms(db)).find((terms) => terms.currency === currency);
}

async function replacedOf(context: SealingContext, db: Queryable, refund: Refund): Promise<string[]> {
  const had = await listAddressesOf(db, refund);
  return had
    .filter((row) => row.address !== refund.address && isSameMac(row.mac, refundAddressMac(context, row)))
    .map(({ address }) => address);
}

async function transfersOf(
  context: SealingContext,
  db: Queryable,
  ref: RefundRef,
): Promise<ListedTransfer[]> {
  return (await listTransfersOf(db, ref)).filter((transfer) => isTransferOurs(context, transfer));
}

/** A coin that came to a payment, and what can be refunded of it. */
export type RefundableCoin = {
  readonly currency: Currency;
  /** the coin of the charge */
  readonly isOwn: boolean;
  readonly received: Amount;
  readonly promised: Amount;
  readonly left: Amount;
  readonly surplus: Amount;
  readonly defaultAmount: Amount;
  /** false where the default amount is worth less than its transfer costs */
  readonly isWorth: boolean;
  readonly terms: FoundTerms | undefined;
};

export type RefundsOfPayment = {
  readonly charge: Charge;
  readonly coins: readonly RefundableCoin[];
  readonly refunds: readonly Refund[];
  /** transfers that a person must look at */
  readonly proposals: readonly ListedTransfer[];
};

/** The refunds of a payment, and what is left to refund of it. @throws NOT_FOUND */
export async function readRefundsOf(
  context: SealingContext & { readonly db: Database },
  ref: ChargeRef,
): Promise<RefundsOfPayment> {
  const tenant = context.db.forTenant(ref.merchantId);
  const charge = await findCharge(tenant, ref);
  if (charge === undefined) throw new ApiError("NOT_FOUND");
  const refunds = await listRefundsOf(tenant, ref);
  const received = await listReceivedCoins(tenant, ref);
  const promisedOf = await sumPromised(tenant, [ref]);
  const terms = await readSweepTerms(context.db);
  const proposals: ListedTransfer[] = [];
  for (const refund of refunds.filter(({ txId, readyCount }) => txId === null && readyCount > 0))
    proposals.push(
      ...(await transfersOf(context, tenant, refund)).filter(
        ({ status, isInChain }) => status === "PROPOSED" && isInChain,
      ),
    );
  const coins = received.map(({ currency, units }) =>
    coinOf(charge, {
      currency,
      received: units,
      promised: promisedOf(ref, currency),
      terms: terms.find((found) => found.currency === currency),
    }),
  );
  return { charge, coins, refunds, proposals };
}

function coinOf(
  charge: Charge,
  {
    currency,
    received,
    promised,
    terms,
  }: Pick<RefundableCoin, "currency" | "received" | "promised" | "terms">,
): RefundableCoin {
  const isOwn = currency === charge.currency;
  const surplus = isOwn ? surplusOf(charge) : zero;
  const money = { received, promised };
  const defaultAmount = defaultRefund(surplus, money);
  return {
    currency,
    isOwn,
    received,
    promised,
    left: refundableOf(money),
    surplus: larger(subtract(surplus, promised), zero),
    defaultAmount,
    isWorth: terms?.handPaysFrom === undefined || defaultAmount >= terms.handPaysFrom,
    terms,
  };
}

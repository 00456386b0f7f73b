import { findArrivals } from "@daric/deposits/lookup/arrival-store";
import type { LookUp, LookupChain } from "@daric/deposits/lookup/look-up";
import type { Currency } from "@daric/domain/asset";
import type { ChargeRef } from "@daric/domain/ids";
import type { Lookup, NamedTransaction } from "@daric/domain/lookup";
import type { Amount } from "@daric/domain/money";
import type { ContextOf } from "@daric/runtime/context";
import { matchArrivals, matchReport } from "./match-transaction.ts";
import { findFamilyAddresses } from "./store.ts";

export type LookupContext = Pick<ContextOf, "db"> & {
  readonly lookUp: LookUp;
  /** the chain, once it is verified */
  readonly currentChain: () => LookupChain | undefined;
  /** of a payment */
  readonly requiredConfirmations: number;
};

/** The page follows a wallet's transaction at this pace, and shows a failure within half a minute. */
const TRY_AGAIN_SECONDS = 20;

type LookedUpCharge = ChargeRef & {
  readonly currency: Currency;
  /** null for any amount */
  readonly due: Amount | null;
  /** the payer's network address, in the form of rate limits */
  readonly clientAddress: string;
};
type PaymentLookup = (
  charge: LookedUpCharge,
  transaction: Exclude<NamedTransaction, "not_an_id">,
) => Promise<Lookup>;

/** Creates the look-up of a payer's transaction. A payment to any order of the family is the payer's. */
export function createPaymentLookup(context: LookupContext): PaymentLookup {
  const { db, lookUp, currentChain, requiredConfirmations } = context;
  return async ({ currency, due, clientAddress, ...ref }, transaction) => {
    if (transaction === "not_on_tron") return { result: transaction };
    const { txId } = transaction;
    const { merchantId } = ref;
    const own = db.forTenant(merchantId);
    const family = await findFamilyAddresses(own, ref);
    const chargeIds = family.map(({ id }) => id);
    const { ours, nodes, readHeight } = await lookUp({
      db: own,
      chain: currentChain,
      txId,
      owner: { merchantId, clientAddress },
      findOurs: () => findArrivals(own, { merchantId, chargeIds, txId }),
      isOurs: ({ chargeId }) => chargeId !== null && chargeIds.includes(chargeId),
    });
    if (nodes === undefined) return matchArrivals(ours, { chargeId: ref.id, headNumber: readHeight });
    const { report, busySeconds } = nodes;
    if (busySeconds !== undefined) return { result: "busy", retryAfterSeconds: busySeconds };
    const address = family.find(({ id }) => id === ref.id)?.address;
    const answer = report && matchReport(report, { address, currency, due, requiredConfirmations });
    return answer ?? { result: "not_found", retryAfterSeconds: TRY_AGAIN_SECONDS };
  };
}

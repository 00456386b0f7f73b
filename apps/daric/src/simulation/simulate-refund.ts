import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import { type DevchainControl, openDevchainControl } from "@daric/chain/nodes/devchain-control";
import { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import { type Amount, amountFromUnits, subtract, zero } from "@daric/domain/money";
import type { RefundTestCase } from "@daric/domain/test-case";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import { confirmTransfer } from "@daric/refunds/confirm-transfer";
import type { ActingContext } from "@daric/refunds/context";
import type { Refund } from "@daric/refunds/refund";
import { findRefund } from "@daric/refunds/store";
import { listTransfersOf } from "@daric/refunds/transfer-store";
import { faultOfPayee, payeeFaultText } from "@daric/refunds/vet-address";
import { derivedId } from "@daric/runtime/derived-id";
import type { ApiContext } from "./context.ts";
import { refuseAsAway } from "./refuse-as-away.ts";

/** The time for a payment to be read. A devnet makes a block every 3 s. */
const SEEN_WITHIN_MS = 12_000;
const POLL_EVERY_MS = 100;
const SMALLEST = amountFromUnits(1n);

export type RefundSimulationContext = ApiContext & ActingContext;

export type SimulatedRefund = {
  /** the refund afterwards */
  readonly refund: Refund;
  readonly payment: { readonly txId: string; readonly amount: Amount } | undefined;
  readonly expectedEvents: readonly WebhookEventType[];
};

/**
 * Plays the payer of a refund (`claim`), its payment (`pay`), or a payment that is short by the smallest part of the coin (`short`). The devnet's own wallet pays;
 * for `pay` it becomes a paying wallet of the merchant, as by a person's first confirmation.
 *
 * @throws REFUND_CLOSED if the refund takes no address, or is not READY; VALIDATION_ERROR if it cannot be short; SERVICE_UNAVAILABLE if the node does not
 * answer or is no devchain, or if the payment is not read in time.
 */
export async function simulateRefund(
  context: RefundSimulationContext,
  refund: Refund,
  testCase: RefundTestCase,
): Promise<SimulatedRefund> {
  const chain = openDevchainControl(context.config.chain.nodeUrls[0] ?? "");
  try {
    if (testCase === "claim") return await claim(context, chain, refund);
    const amount = testCase === "short" ? subtract(refund.units, SMALLEST) : refund.units;
    if (amount === zero) throw impossible("cannot be short: the refund is the smallest amount already");
    const txId = await send(chain, refund, amount);
    const payment = { txId, amount };
    if (testCase === "short") return { refund, payment, expectedEvents: [] };
    const paid = await recognise(context, refund, txId);
    return { refund: paid, payment, expectedEvents: ["refund.completed"] };
  } finally {
    await chain.close();
  }
}

async function claim(
  context: RefundSimulationContext,
  chain: DevchainControl,
  refund: Refund,
): Promise<SimulatedRefund> {
  const address = await chain.readPayer().catch((error: unknown) => refuseAsAway(error));
  const db = context.db.forTenant(refund.merchantId);
  const token = claimToken(context, refund);
  const named = await claimRefund(context, { token, address, vet: () => faultOfPayee(db, address) });
  if (named.fault !== undefined)
    throw impossible(`cannot be played: ${address} ${payeeFaultText(named.fault)}`);
  const isReady = named.refund.status === "READY";
  return { refund: named.refund, payment: undefined, expectedEvents: isReady ? ["refund.ready"] : [] };
}

async function send(chain: DevchainControl, refund: Refund, amount: Amount): Promise<string> {
  const { address, currency, status } = refund;
  if (address === null || status !== "READY")
    throw new ApiError("REFUND_CLOSED", { message: "The refund is not ready to be paid." });
  return chain.pay(address, { currency, amount }).catch((error: unknown) => {
    if (!(error instanceof NodeError) || error.fault !== "http_status") return refuseAsAway(error);
    throw impossible(`cannot be paid by the devnet (${error.message})`);
  });
}

/** Waits until the payment is read. The first one of the devnet's wallet is a proposal, which is confirmed as a person would. */
async function recognise(context: RefundSimulationContext, ref: Refund, txId: string): Promise<Refund> {
  const { merchantId, id } = ref;
  const deadline = context.clock.monotonicMs() + SEEN_WITHIN_MS;
  for (;;) {
    const refund = await findRefund(context.db, ref);
    if (refund?.txId === txId) return refund;
    const transfers = await listTransfersOf(context.db, ref);
    if (transfers.some((transfer) => transfer.txId === txId)) {
      const personId = idOf("person", derivedId("simulated person", merchantId));
      return confirmTransfer(context, { merchantId, id, txId, personId }, async () => []);
    }
    if (context.clock.monotonicMs() > deadline)
      throw new ApiError("SERVICE_UNAVAILABLE", {
        message: `${txId} was sent, but no block with it was read within ${SEEN_WITHIN_MS / 1_000} s. Does the devnet make blocks, and does /readyz say that the scanner follows?`,
      });
    await sleep(POLL_EVERY_MS);
  }
}

function impossible(rule: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path: "case", message: rule }] });
}

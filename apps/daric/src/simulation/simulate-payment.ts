import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import { type DevchainControl, openDevchainControl } from "@daric/chain/nodes/devchain-control";
import type { Charge } from "@daric/charges/charge";
import { ApiError } from "@daric/domain/errors";
import { expectedEvents, paymentsOf, type TestCase, type TestPayment } from "@daric/domain/test-case";
import type { WebhookEventType } from "@daric/domain/webhook-event";
import type { ApiContext } from "./context.ts";
import { refuseAsAway } from "./refuse-as-away.ts";
import { isDeposited } from "./store.ts";

/** The time for a payment to be read. A devnet makes a block every 3 s. */
const SEEN_WITHIN_MS = 12_000;
const POLL_EVERY_MS = 100;

/** The transactions sent on the devnet. */
export type SimulatedPayment = {
  readonly payments: readonly (TestPayment & { readonly txId: string })[];
  /** blocks of all merchants were replaced */
  readonly isForked: boolean;
  readonly expectedEvents: readonly WebhookEventType[];
};

/**
 * Makes the devnet's own chain pay this charge by the case. The service then reads the payment from blocks
 * like any other. Moves no clock and mines no block.
 *
 * @throws ORDER_NOT_EXPIRED for `late` before the order has expired; VALIDATION_ERROR if the amount has no
 * half, or the chain cannot send that much; SERVICE_UNAVAILABLE if the node does not answer or is no
 * devchain, and for `reorged` if the payment is not read in time.
 */
export async function simulatePayment(
  context: ApiContext,
  charge: Charge,
  testCase: TestCase,
): Promise<SimulatedPayment> {
  const planned = paymentsOf(testCase, { currency: charge.currency, due: charge.terms.due });
  if (planned.length === 0) throw impossible("cannot be under: the due is the smallest amount already");
  const chain = openDevchainControl(context.config.chain.nodeUrls[0] ?? "");
  try {
    const time = await chain.readTime().catch((error: unknown) => refuseAsAway(error));
    if (testCase === "late") requireExpired(charge, time);
    const payments = await payAll(chain, charge, planned);
    const isForked = testCase === "reorged";
    if (isForked) await forkOnceSeen(context, chain, { charge, txId: payments[0]?.txId ?? "" });
    return { payments, isForked, expectedEvents: expectedEvents(charge, planned, time) };
  } finally {
    await chain.close();
  }
}

/** One after the other, so that a failure can list the earlier payments. */
async function payAll(
  chain: DevchainControl,
  { address }: Charge,
  planned: readonly TestPayment[],
): Promise<SimulatedPayment["payments"]> {
  const payments: (TestPayment & { txId: string })[] = [];
  for (const payment of planned) {
    const txId = await chain.pay(address, payment).catch((error: unknown) => {
      const before =
        payments.length === 0 ? "" : `; ${payments.map((sent) => sent.txId).join()} was sent before`;
      if (!(error instanceof NodeError) || error.fault !== "http_status") return refuseAsAway(error, before);
      throw impossible(`cannot be paid by the devnet (${error.message})${before}`);
    });
    payments.push({ ...payment, txId });
  }
  return payments;
}

/** The database has the expiry as final, so a payment sent now is later than it. */
function requireExpired({ status, expiresAt }: Charge, chainTime: Date): void {
  if (expiresAt === null) {
    throw new ApiError("ORDER_NOT_EXPIRED", {
      message: "A receive address never expires, so nothing comes late to it.",
    });
  }
  if (chainTime > expiresAt && status !== "ACTIVE") return;
  throw new ApiError("ORDER_NOT_EXPIRED", {
    message:
      `The order has not expired: it does when a block after ${expiresAt.toISOString()} is solid, about a minute later. ` +
      "Ask again then, or give the merchant short orders (daric merchant update --order-lifetime 30s).",
  });
}

/** The fork waits until the payment is a deposit: a block that no watcher has read would test nothing. */
async function forkOnceSeen(
  context: ApiContext,
  chain: DevchainControl,
  { charge: { merchantId }, txId }: { charge: Charge; txId: string },
): Promise<void> {
  const deadline = context.clock.monotonicMs() + SEEN_WITHIN_MS;
  while (!(await isDeposited(context.db, { merchantId, txId }))) {
    if (context.clock.monotonicMs() > deadline) {
      throw new ApiError("SERVICE_UNAVAILABLE", {
        message:
          `${txId} was sent, but no block with it was read within ${SEEN_WITHIN_MS / 1_000} s, so the chain was not ` +
          "forked. Does the devnet make blocks, and does /readyz say that the scanner follows?",
      });
    }
    await sleep(POLL_EVERY_MS);
  }
  await chain.moveByFork(txId).catch((error: unknown) => {
    if (!(error instanceof NodeError) || error.fault !== "http_status") return refuseAsAway(error);
    throw impossible(`cannot be played: ${txId} is final already, and nothing final leaves the chain`);
  });
}

function impossible(rule: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path: "case", message: rule }] });
}

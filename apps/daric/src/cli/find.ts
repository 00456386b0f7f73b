import { addressBytes } from "@daric/addresses/address-bytes";
import type { Charge } from "@daric/charges/charge";
import type { ListedCheck } from "@daric/deposits/check-store";
import type { ListedDeposit } from "@daric/deposits/list-store";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import { currentConfirmations, isOpen } from "@daric/domain/deposit";
import { readNamedTransaction } from "@daric/domain/lookup";
import { formatAmount } from "@daric/domain/money";
import { isAddress } from "@daric/tron/address";
import type { Command } from "commander";
import { explainUnknown } from "./explain-unknown.ts";
import { CommandError } from "./failure.ts";
import { type FoundPayment, findPayments } from "./find-payment.ts";
import { viewOfRefund } from "./find-refund.ts";
import {
  printUnsupported,
  textOfUnsupported,
  UNSUPPORTED_HELP,
  viewOfUnsupported,
} from "./find-unsupported.ts";
import { FOUND_MONEY_ADVICE, findFoundMoney, textOfFoundMoney } from "./found-money.ts";
import { inOneLine, type OutputOptions, printFound, tableOf, textOfOne, type View } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const NOT_ON_TRON = "an id that begins with 0x is a transaction of another network: ids of TRON have no 0x";

type FindOptions = OutputOptions & { readonly unsupported?: true; readonly merchant?: string };

/** `daric find`: shows all about a payment on one screen, or lists the tokens that are no payment. */
export function addFindCommand(program: Command, terminal: Terminal): void {
  program
    .command("find")
    .description(
      "show a payment: the order, its deposits, their open checks, its refunds and its webhooks; or money of an unknown order",
    )
    .argument(
      "[text]",
      "an order reference, an address, a transaction or its link, or the id of a deposit address, deposit, refund, event, delivery or endpoint",
      readPhrase,
    )
    .option("--unsupported", "list the tokens that are not accepted at all addresses, or of one transaction")
    .option("--merchant <id>", "with --unsupported: only of this merchant (default: all)")
    .option("--json", "print JSON")
    .addHelpText("after", UNSUPPORTED_HELP)
    .action(async (text: string | undefined, { unsupported, merchant, ...options }: FindOptions) => {
      if (unsupported) return printUnsupported(terminal, { merchant, ...options }, text);
      if (merchant !== undefined) throw new CommandError("--merchant needs --unsupported", 2);
      if (text === undefined) throw new CommandError("give a text to search for, or --unsupported", 2);
      let found: readonly FoundPayment[] = [];
      let foundMoney: readonly View[] = [];
      const answers = await withDatabase(terminal.variables, [], async (context) => {
        const { db, config } = context;
        const transaction = readNamedTransaction(text);
        const named = typeof transaction === "object" ? transaction : undefined;
        const sought = isAddress(text) ? { bytes: addressBytes(text) } : named;
        const findOurs = async () => {
          found = await findPayments(db, text);
          foundMoney = sought ? await findFoundMoney(db, config.chain.network, sought) : [];
          return [...found, ...foundMoney];
        };
        if (named !== undefined) return explainUnknown(terminal, context, { ...named, findOurs });
        await findOurs();
        return transaction === "not_on_tron" ? [NOT_ON_TRON] : [];
      });
      if (found.length + foundMoney.length === 0) {
        for (const answer of answers) terminal.writeError(`${answer}\n`);
        throw new CommandError(`no payment is known of ${text}`);
      }
      const unknown = foundMoney.length === 0 ? [] : [{ foundMoney, toDo: [FOUND_MONEY_ADVICE] }];
      const unknownLines = unknown.map(
        () => `${textOfFoundMoney(foundMoney)}What to do:\n- ${FOUND_MONEY_ADVICE}\n`,
      );
      printFound(terminal, options, {
        json: [...found.map(viewsOf), ...unknown],
        text: () => [...found.map(textOf), ...unknownLines].join("\n"),
      });
    });
}

function viewsOf(found: FoundPayment) {
  const { charge, deposits, checks, deliveries, eventsWithoutDelivery, decisions, depositCount } = found;
  const { unsupported, refunds } = found;
  return {
    charge: viewOfCharge(charge),
    depositCount,
    deposits: deposits.map((deposit) => viewOfDeposit(deposit, checks)),
    refunds: refunds.map(viewOfRefund),
    unsupported: unsupported.map((row) => ({ ...viewOfUnsupported(row), runbook: UNSUPPORTED_RUNBOOK })),
    deliveries: deliveries.map(viewOfDelivery),
    eventsWithoutDelivery: eventsWithoutDelivery.map(viewOfEvent),
    decisions: decisions.map(({ at, ...entry }) => ({
      at: at.toISOString(),
      ...entry,
      runbook: DECISION_RUNBOOK,
    })),
    toDo: advise(found),
  };
}

function textOf(found: FoundPayment): string {
  const { charge, deposits, depositCount, checks, deliveries, eventsWithoutDelivery, decisions } = found;
  const { unsupported, refunds } = found;
  const parts = [
    textOfOne(
      `${charge.kind} ${charge.orderRef ?? charge.customerRef ?? charge.id}`,
      describeFound(viewOfCharge(charge)),
    ),
  ];
  if (deposits.length > 0)
    parts.push(
      depositCount > deposits.length
        ? `The newest ${deposits.length} of ${depositCount} deposits:`
        : "Deposits:",
      ...deposits.map((deposit) =>
        textOfOne(`deposit ${deposit.id}`, describeFound(viewOfDeposit(deposit, checks))),
      ),
    );
  parts.push(
    ...refunds.map((refund) => textOfOne(`refund ${refund.id}`, describeFound(viewOfRefund(refund)))),
  );
  if (unsupported.length > 0)
    parts.push(`Tokens that are not accepted (${UNSUPPORTED_RUNBOOK}):`, textOfUnsupported(unsupported));
  const events = [
    ...deliveries.map(viewOfDelivery),
    ...eventsWithoutDelivery.map((event) => ({
      ...viewOfEvent(event),
      status: "no endpoint",
      attempts: 0,
      lastAnswer: null,
    })),
  ];
  if (events.length > 0)
    parts.push(tableOf(events, ["event", "status", "attempts", "lastAnswer", "createdAt", "runbook"]));
  for (const { at, actor, action, reason } of decisions)
    parts.push(
      `${at.toISOString()} ${actor}: ${action}, because ${inOneLine(reason ?? "")} (${DECISION_RUNBOOK})`,
    );
  parts.push("What to do:", ...advise(found).map((advice) => `- ${advice}`));
  return `${parts.map((part) => part.trimEnd()).join("\n")}\n`;
}

/** Leaves out the empty fields. */
function describeFound(view: View): View {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== null && value !== false));
}

function viewOfCharge(charge: Charge): View {
  const { id, merchantId, kind, address, currency, status, orderRef, expiresAt, expectedAmount, payAmount } =
    charge;
  return {
    id,
    merchantId,
    address,
    status,
    paymentStatus: kind === "order" ? orderPaymentStatus(charge) : null,
    orderRef,
    due: expectedAmount && `${formatAmount(payAmount ?? expectedAmount)} ${currency}`,
    received: `${formatAmount(charge.received.total)} ${currency}`,
    acceptedAt: charge.acceptedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: charge.createdAt.toISOString(),
    runbook: ORDER_RUNBOOK,
  };
}

function viewOfDeposit(deposit: ListedDeposit, all: readonly ListedCheck[]): View {
  const { status, amount, currency, txId, blockNumber, requiredConfirmations } = deposit;
  const checks = all.filter(({ depositId }) => depositId === deposit.id);
  const waiting = checks.find(({ result }) => result === "waiting");
  return {
    id: deposit.id,
    status,
    amount: `${formatAmount(amount)} ${currency}`,
    txHash: txId,
    fromAddress: deposit.fromAddress,
    block: `${blockNumber}, made ${deposit.blockTime.toISOString()}`,
    proof: proofOf(deposit),
    ...Object.fromEntries(checks.map(({ name, result, detail }) => [name, `${result}: ${detail}`])),
    confirmations: `${currentConfirmations(deposit)} of ${requiredConfirmations}`,
    late: deposit.late,
    unmatched: deposit.unmatched,
    waitsFor: waitOf(deposit, waiting),
    runbook: DEPOSIT_RUNBOOKS[status],
    since: (waiting?.since ?? deposit.updatedAt).toISOString(),
  };
}

/** The sections of the manual that explain each line. */
const ORDER_RUNBOOK = "docs/operations.md#orders";
const UNSUPPORTED_RUNBOOK = "docs/operations.md#unsupported_token";
const WEBHOOK_RUNBOOK = "docs/operations.md#webhooks";
const DECISION_RUNBOOK = "docs/operations.md#deposit_stuck";
const DEPOSIT_RUNBOOKS: Readonly<Record<ListedDeposit["status"], string>> = {
  DETECTED: "docs/operations.md#deposits",
  CONFIRMING: "docs/operations.md#deposits",
  CONFIRMED: "docs/operations.md#deposits",
  STUCK: "docs/operations.md#deposit_stuck",
  REORG_PENDING: "docs/operations.md#deposit_reorg_pending",
  FAILED: "docs/operations.md#deposit_failed",
};

function proofOf({ source, isMerkleProven }: ListedDeposit): string {
  if (!isMerkleProven) return "not proven by the block's root, only reported by nodes";
  return source === "transfer"
    ? "the root of the block"
    : "the block's root; only nodes report the fee of the token";
}

/** The condition that a deposit waits for; null if it is over. */
function waitOf(
  { status, blockNumber, headNumber, requiredConfirmations }: ListedDeposit,
  waiting: ListedCheck | undefined,
): string | null {
  if (status === "CONFIRMED" || status === "FAILED") return null;
  if (status === "REORG_PENDING")
    return "its transaction in a block of our chain, or the end of that transaction";
  if (waiting !== undefined) return WAITS_FOR[waiting.name];
  const missing = blockNumber + requiredConfirmations - 1 - headNumber;
  return missing > 0 ? `${missing} more blocks` : "a second reading of its block";
}

const WAITS_FOR: Readonly<Record<ListedCheck["name"], string>> = {
  solidity: "witnesses that build on its block",
  quorum: "the same answer from other nodes",
  balance: "an address that holds it, or an operator",
};

type FoundDelivery = FoundPayment["deliveries"][number];

function viewOfDelivery({ id, eventType, status, attemptCount, ...delivery }: FoundDelivery): View {
  return {
    id,
    event: eventType,
    status,
    attempts: attemptCount,
    lastAnswer: delivery.lastStatusCode ?? delivery.lastError,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    runbook: WEBHOOK_RUNBOOK,
  };
}

function viewOfEvent({ id, type, createdAt }: FoundPayment["eventsWithoutDelivery"][number]): View {
  return { id, event: type, createdAt: createdAt.toISOString(), runbook: WEBHOOK_RUNBOOK };
}

/** The possible steps of the operator; one sentence if there are none. */
function advise({ deposits, checks, deliveries }: FoundPayment): string[] {
  const advice = deposits.flatMap(({ id, status, blockNumber }) => {
    const isDisputed = checks.some(
      ({ depositId, name, result }) => depositId === id && name === "quorum" && result === "waiting",
    );
    if (isDisputed && isOpen(status) && status !== "STUCK")
      return [
        `deposit ${id}: its nodes do not agree; it is confirmed once enough of them report it, and fails once all of them deny it (${DEPOSIT_RUNBOOKS.STUCK})`,
      ];
    if (status === "STUCK")
      return [
        `deposit ${id}: look the transaction up with an explorer; \`daric scan --from ${blockNumber} --to ${blockNumber}\` reads its block again; \`daric deposit accept|reject ${id} --reason …\` decides (${DEPOSIT_RUNBOOKS.STUCK})`,
      ];
    return [];
  });
  const failed = deliveries.filter(({ status }) => status === "EXHAUSTED");
  if (failed.length > 0)
    advice.push(
      `${failed.length} webhooks failed for good: the merchant repairs the receiver and sends them again (${WEBHOOK_RUNBOOK})`,
    );
  const waits = deposits.some(({ status }) => isOpen(status));
  const nothing = waits ? "nothing to do: waiting deposits continue by themselves" : "nothing";
  return advice.length > 0 ? advice : [nothing];
}

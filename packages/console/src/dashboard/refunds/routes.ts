import { isSettled } from "@daric/domain/order";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import type { ActingContext } from "@daric/refunds/context";
import { isRefundOurs } from "@daric/refunds/refund";
import { toRefundRow } from "@daric/refunds/schema";
import { z } from "zod";
import { actorOf } from "../../people/schema.ts";
import { type FactsContext, readFacts, readRefundsOf } from "./facts.ts";
import { writePayFile } from "./pay-list.ts";
import {
  payListBody,
  payListRow,
  paymentRefunds,
  refundFacts,
  taskRow,
  toCoinRow,
  toFactsRow,
  toTaskRow,
  toTransferRow,
} from "./schema.ts";
import { readRefundTasks } from "./tasks.ts";

type RefundsContext = ActingContext &
  FactsContext & {
    readonly config: { readonly http: { readonly publicBaseUrl: string | undefined } };
  };

const tags = ["refunds"];
const read = { scope: "refunds:read" } as const;

/** The parts of refunds that `/v1` lacks for people: facts, tasks and the file to pay by. */
export function dashboardRefundRoutes(app: ApiApp, context: RefundsContext): void {
  factsRoute(app, context);
  ofPaymentRoute(app, context);
  tasksRoute(app, context);
  payFileRoute(app, context);
}

function factsRoute(app: ApiApp, context: RefundsContext): void {
  app.get(
    "/dashboard/v1/refunds/:id",
    {
      config: read,
      schema: {
        operationId: "retrieveRefundFacts",
        summary: "See what to know about a refund before it is paid",
        description: "Beside the row of `GET /v1/refunds/{id}`.",
        tags,
        params: idParams("refund"),
        response: { 200: successOf(refundFacts) },
      },
    },
    async (request) => {
      const { merchantId, session } = callerOfSession(request);
      const ref = { merchantId, id: request.params.id, personId: session.personId };
      return ok(toFactsRow(await readFacts(context, ref)));
    },
  );
}

function ofPaymentRoute(app: ApiApp, context: RefundsContext): void {
  app.get(
    "/dashboard/v1/payments/:id/refunds",
    {
      config: read,
      schema: {
        operationId: "retrieveRefundsOfPayment",
        summary: "See the refunds of a payment, and what is left to refund",
        description: "With the price of a transfer, and the transfers that may be a refund.",
        tags,
        params: idParams("charge"),
        response: { 200: successOf(paymentRefunds) },
      },
    },
    async (request) => {
      const ref = { merchantId: callerOfSession(request).merchantId, id: request.params.id };
      const { charge, coins, refunds, proposals } = await readRefundsOf(context, ref);
      const isPaid = isSettled(charge);
      return ok({
        closes_order: charge.kind !== "receive" && !isPaid,
        is_paid_order: charge.kind === "order" && isPaid,
        coins: coins.map(toCoinRow),
        refunds: refunds
          .filter((refund) => isRefundOurs(context, refund))
          .map((refund) => toRefundRow(context, refund, { withClaim: false })),
        proposals: proposals.map((transfer) => ({
          refund_id: transfer.refundId,
          ...toTransferRow(transfer),
        })),
      });
    },
  );
}

function tasksRoute(app: ApiApp, context: RefundsContext): void {
  app.get(
    "/dashboard/v1/inbox/refunds",
    {
      config: read,
      schema: {
        operationId: "listRefundTasks",
        summary: "List the refunds that need a person",
        description:
          "Newest first, at most 200. A decision about the payment takes a proposal out, and a refund that was paid after it was canceled.",
        tags,
        response: { 200: successOf(z.array(taskRow)) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const tenant = { ...context, db: context.db.forTenant(merchantId) };
      return ok((await readRefundTasks(tenant, merchantId)).map((duty) => toTaskRow(context, duty)));
    },
  );
}

function payFileRoute(app: ApiApp, context: RefundsContext): void {
  app.post(
    "/dashboard/v1/refunds/pay-file",
    {
      config: { scope: "refunds:pay" },
      schema: {
        operationId: "openRefundsToPay",
        summary: "Get a file of all refunds of a coin that are ready to be paid",
        description:
          "At most 500, the oldest first. Their addresses and amounts stay for half an hour. The columns are `address,amount,reference`, and then what a person checks.",
        tags,
        body: payListBody,
        response: { 200: successOf(payListRow) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const file = await writePayFile(context, actorOf(request), { merchantId, ...request.body });
      const { openedBefore, ...row } = file;
      return ok({ ...row, opened_before: openedBefore });
    },
  );
}

import { Daric } from "@daric/sdk";

const daric = new Daric({
  baseUrl: process.env.DARIC_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.DARIC_KEY ?? "",
});

/** Handles each event after the last handled one, until the process ends. */
export async function followPayments(
  lastHandled: string | undefined,
  handle: (orderRef: string, eventId: string) => Promise<void>,
): Promise<void> {
  for await (const event of daric.events.follow({ after: lastHandled, types: ["order.paid"] })) {
    // `handle` stores event.id together with the order, in one transaction.
    if (event.event === "order.paid" && event.data?.orderRef) await handle(event.data.orderRef, event.id);
  }
}

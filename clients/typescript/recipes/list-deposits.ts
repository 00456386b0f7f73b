import { Daric } from "@daric/sdk";

const daric = new Daric({
  baseUrl: process.env.DARIC_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.DARIC_KEY ?? "",
});

/** The deposits confirmed since a moment, newest first, with their orders. */
export async function confirmedSince(moment: Date): Promise<string[]> {
  const lines: string[] = [];
  for await (const deposit of daric.deposits.all({ status: "CONFIRMED", from: moment.toISOString() })) {
    lines.push(`${deposit.amount} ${deposit.currency} for ${deposit.order_ref ?? "no order"}`);
  }
  return lines;
}

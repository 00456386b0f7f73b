import { Daric, DaricError } from "@daric/sdk";

const daric = new Daric({
  baseUrl: process.env.DARIC_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.DARIC_KEY ?? "",
});

/** The page to send the customer to. A second call for the same order returns the same page. */
export async function checkoutUrlOf(orderRef: string, amount: string): Promise<string | null> {
  try {
    const { isNew, order } = await daric.createOrderOnce({
      orderRef,
      amount,
      successUrl: "https://shop.example/thanks",
    });
    console.log(orderRef, isNew ? "is made now" : "was there already", order.id);
    return order.checkout_url;
  } catch (error) {
    if (!(error instanceof DaricError)) throw error;
    if (error.isOutcomeUnknown) return null; // ask again in 15 s
    console.error(error.code, error.details, error.correlationId);
    throw error;
  }
}

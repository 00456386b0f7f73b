import { runDaricForOutput } from "@daric/server/cli/daric";
import type { Row, Stack, StackMerchant } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { TronWeb } from "tronweb";

const LIMIT_MS = 120_000;
const FEE_LIMIT = 100_000_000;

/**
 * Pays an order of 2 USDT with 3. The surplus is asked for, claimed, and sent from the merchant's settlement wallet. Resolves with the refund's status once it
 * is `COMPLETED`, or with an earlier one after two minutes.
 */
export async function playRefund(
  stack: Stack,
  { id: merchantId, daric: shop }: StackMerchant,
): Promise<string> {
  const ofKey = ["--merchant", merchantId, "--scopes", "refunds:read,refunds:write"];
  const { key } = await runDaricForOutput<Row>(["key", "create", ...ofKey], stack.variables);
  const call = async (path: string, body?: object): Promise<Row> => {
    const answer = await fetch(`${stack.baseUrl}${path}`, {
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const { data } = (await answer.json()) as Row;
    return data ?? {};
  };
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  const send = (to: string, units: number) => token.transfer(to, units).send({ feeLimit: FEE_LIMIT });

  const order = await shop.depositAddresses.create({ amount: "2", orderRef: "refunded" });
  await send(order.address, 3_000_000);
  let refund: Row = {};
  const asked = async () => {
    refund = await call(`/v1/deposit-addresses/${order.id}/refunds`, { refundRef: "surplus" });
    return refund.id !== undefined;
  };
  await until("the surplus is confirmed and promised", asked, LIMIT_MS);
  const { address } = await TronWeb.createAccount();
  const claim = new URL(refund.claim_url).pathname.replace("/r/", "/v1/refund-claims/");
  await call(claim, { address: address.base58 });
  await send(address.base58, 1_000_000);
  const statusOf = async () => String((await call(`/v1/refunds/${refund.id}`)).status);
  await until("the refund is completed", async () => (await statusOf()) === "COMPLETED", LIMIT_MS).catch(
    () => {},
  );
  return statusOf();
}

import { createHash } from "node:crypto";
import { askForRefund, type RefundRequest } from "@daric/charges/close/ask-for-refund";
import type { MerchantId } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import type { Refund } from "@daric/refunds/refund";
import { findRefund } from "@daric/refunds/store";
import { addressToHex } from "@daric/tron/address";
import { aMerchant, anAddress, aSettlementAccount } from "./builders.ts";
import { aCharge, type ChargeOverrides } from "./charge-builders.ts";
import { createTestContext } from "./context.ts";
import { createForkChain } from "./fork-chain.ts";
import { aScanner, scanToRest } from "./watch.ts";

const NOTHING = {
  ...{ amount: null, fiatAmount: null, currency: null, refundRef: null, reason: null, address: null },
  ...{ askedBy: null, apiKeyId: null },
} as const;

/** A merchant with a settlement wallet, on a chain in memory that forks on command, and its refunds in TRX. */
export async function openRefundShop() {
  const context = await createTestContext();
  const chain = createForkChain(Date.now());
  let serial = 0;

  const scanner = () => aScanner(context, chain.reader);
  /** Mines so many blocks, and reads all. */
  async function scan(blocks = 0): Promise<void> {
    chain.mine(blocks);
    await scanToRest(context, await scanner());
  }
  async function aShop() {
    const { id: merchantId } = await aMerchant(context.db);
    const { address: wallet } = await aSettlementAccount(context.db, merchantId);
    return { merchantId, wallet };
  }
  await scan(20);
  const { merchantId, wallet } = await aShop();

  return {
    ...{ context, chain, merchantId, wallet, scanner, scan, aShop },
    /** an order of 10 TRX that got this much, confirmed */
    async paidCharge(units: bigint, overrides: Partial<ChargeOverrides> = {}) {
      const charge = await aCharge(context.db, { merchantId, currency: "TRX", amount: "10", ...overrides });
      chain.pay(charge.address, units);
      await scan(30);
      return charge;
    },
    ask: (
      charge: { id: RefundRequest["id"]; merchantId: MerchantId },
      request: Partial<RefundRequest> = {},
    ) => askForRefund(context, { ...NOTHING, merchantId: charge.merchantId, id: charge.id, ...request }),
    async claimed(refund: Refund, address = anAddress()) {
      const token = claimToken(context, refund);
      return (await claimRefund(context, { token, address, vet: async () => undefined })).refund;
    },
    async again(refund: Pick<Refund, "merchantId" | "id">) {
      const found = await findRefund(context.db, refund);
      if (found === undefined) throw new Error("the refund is gone");
      return found;
    },
    /** sends TRX with the next block, from the merchant's wallet unless another is named; returns the transaction's id */
    send(to: string, units: bigint, from = wallet): string {
      serial += 1;
      const txId = createHash("sha256").update(`refund ${serial}`).digest("hex");
      const [fromHex, toHex] = [addressToHex(from), addressToHex(to)];
      const expirationMs = Date.now() + (chain.transfers().length + 200) * 3_000;
      const contract = { kind: "transfer" as const, fromHex, toHex, units: amountIn("TRX", units) };
      chain.include({ txId, contractRet: "SUCCESS", expirationMs, contract });
      return txId;
    },
  };
}

import type { Charge } from "@daric/charges/charge";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, type ChargeOverrides } from "@daric/testing/charge-builders";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import type { Dice } from "../faults/dice.ts";
import { hexOfBase58 } from "./chain/bytes.ts";
import type { SimDatabase } from "./database.ts";

/** A charge of a seed, with its address in hex. */
export type SimCharge = {
  readonly charge: Charge;
  readonly addressHex: string;
  /** gets no payments, so that every transfer to it is a lie */
  readonly isTrap: boolean;
};

const SHORT_MS = 45_000;
const HOUR_MS = 3_600_000;

/**
 * Two merchants with open charges: orders in both currencies, some short-lived, and addresses for any amount.
 */
export async function openShops(
  { db }: SimDatabase,
  { nowMs, dice }: { nowMs: number; dice: Dice },
): Promise<SimCharge[]> {
  const soon = () => new Date(nowMs + SHORT_MS + dice.roll(90_000));
  const later = new Date(nowMs + HOUR_MS);
  const goods: Omit<ChargeOverrides, "merchantId">[] = [
    { amount: "25", expiresAt: later },
    { amount: "25", expiresAt: later, currency: "TRX" },
    { amount: "10", expiresAt: soon() },
    { amount: "0.02", expiresAt: later },
    { amount: "40", expiresAt: soon(), lateUntil: new Date(nowMs + SHORT_MS + 120_000) },
    { kind: "receive", expiresAt: null },
    { kind: "open", expiresAt: soon(), currency: "TRX" },
    { kind: "open", expiresAt: later },
  ];
  const merchants = [await aMerchant(db), await aMerchant(db)];
  for (const { id } of merchants) await anEndpointRow(db, id, { eventTypes: [...webhookEventTypes] });
  const simCharges: SimCharge[] = [];
  for (const [index, good] of goods.entries()) {
    const merchantId = merchants[index % 2]!.id;
    const charge = await aCharge(db, { ...good, merchantId, createdAt: new Date(nowMs) });
    const isTrap = index === goods.length - 1;
    simCharges.push({ charge, addressHex: hexOfBase58(charge.address), isTrap });
  }
  return simCharges;
}

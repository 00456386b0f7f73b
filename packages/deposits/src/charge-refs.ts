import { type ChargeRef, refKey } from "@daric/domain/ids";
import type { Deposit } from "./store.ts";

export function chargesOf(deposits: readonly Pick<Deposit, "merchantId" | "chargeId">[]): ChargeRef[] {
  const refs = deposits.map(({ merchantId, chargeId: id }) => ({ merchantId, id }));
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}

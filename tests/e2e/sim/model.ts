import type { StandingMovement } from "./chain/chain.ts";
import type { SimCharge } from "./shop.ts";

/** A payment to one of our addresses, from the chain's own ledger. */
export type Payment = StandingMovement & { readonly simCharge: SimCharge };

/** The permanent name of a payment and its deposit. */
export function depositName(one: {
  readonly txId: string;
  readonly source: string;
  readonly eventIndex: number;
  readonly address: string;
}): string {
  return `${one.txId} ${one.source} ${one.eventIndex} ${one.address}`;
}

/** The movements that are money to us: the database must have the same. */
export function paymentsToUs(
  movements: readonly StandingMovement[],
  simCharges: readonly SimCharge[],
): Map<string, Payment> {
  const byAddress = new Map(simCharges.map((simCharge) => [simCharge.addressHex, simCharge]));
  const payments = movements.flatMap((movement) => {
    const simCharge = byAddress.get(movement.toHex);
    const isPayment = simCharge !== undefined && movement.units > 0n && movement.fromHex !== movement.toHex;
    return isPayment ? [{ ...movement, simCharge }] : [];
  });
  return new Map(
    payments.map((payment) => [
      depositName({ ...payment, address: payment.simCharge.charge.address }),
      payment,
    ]),
  );
}

/** The final state of a charge, from its payments and the time of the solid block. */
export type ChargeAtEnd = {
  readonly status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  readonly confirmed: bigint;
  readonly unmatched: bigint;
  /** the order's events, each once; a list with commas allows any one, and "" none */
  readonly events: readonly string[];
};

/** Independent of the service's own rules, from the product and the contract. */
export function standingOf(
  { charge }: SimCharge,
  payments: readonly Payment[],
  solidTimeMs: number,
): ChargeAtEnd {
  const sum = (list: readonly Payment[]) => list.reduce((total, { units }) => total + units, 0n);
  const matching = payments.filter(({ currency }) => currency === charge.currency);
  const due: bigint | null = charge.expectedAmount;
  const counting = matching.filter(({ units }) => !isTiny(units, charge.currency, due));
  const until = (end: Date | null) =>
    sum(counting.filter(({ blockTimeMs }) => end === null || blockTimeMs <= end.getTime()));
  const [total, inWindow, onTime] = [sum(counting), until(charge.lateUntil), until(charge.expiresAt)];
  const hasEnded = charge.expiresAt !== null && solidTimeMs > charge.expiresAt.getTime();
  const confirmed = sum(matching);
  const standing = { confirmed, unmatched: sum(payments) - confirmed };
  if (charge.kind !== "order" || due === null) {
    return { ...standing, status: hasEnded ? "EXPIRED" : "ACTIVE", events: [] };
  }
  const onePercent = due / 100n;
  const min = due - (onePercent < 10_000n ? onePercent : 10_000n);
  const slack = onePercent < 10_000n ? 10_000n : onePercent > 1_000_000n ? 1_000_000n : onePercent;
  const isPaidInWindow = inWindow >= min;
  const events = [
    ...(isPaidInWindow ? ["order.paid"] : []),
    ...(inWindow - due > slack ? ["order.overpaid"] : []),
    ...(total >= min && onTime < min ? ["order.paid_late"] : []),
    ...expiryOf({ hasEnded, isPaidOnTime: onTime >= min, isPaidInWindow, onTime }),
  ];
  return { ...standing, status: isPaidInWindow ? "ARCHIVED" : hasEnded ? "EXPIRED" : "ACTIVE", events };
}

/** Below 0.01 USDT or 0.1 TRX, unless less is due. */
export function isTiny(units: bigint, currency: string, due: bigint | null): boolean {
  const bound = currency === "USDT" ? 10_000n : 100_000n;
  return units < bound && !(due !== null && due > 0n && due < bound);
}

/**
 * Money on time decides the event of the expiry. There is none if late money paid while some of that was
 * pending.
 */
function expiryOf(facts: {
  hasEnded: boolean;
  isPaidOnTime: boolean;
  isPaidInWindow: boolean;
  onTime: bigint;
}): string[] {
  const { hasEnded, isPaidOnTime, isPaidInWindow, onTime } = facts;
  if (!hasEnded || isPaidOnTime) return [];
  const event = onTime > 0n ? "order.underpaid" : "order.expired";
  return [isPaidInWindow ? `${event},` : event];
}

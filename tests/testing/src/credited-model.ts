import type { Charge } from "@daric/charges/charge";

/*
 * An independent model of orders that are priced in fiat: the worth of each deposit, the credited amount, and the state of the order.
 * It follows the rules of docs/prices.md and docs/webhooks.md, and uses no code of the service.
 */

const MINUTE_MS = 60_000;
const WHOLE = 10n ** 18n;

const ceilDiv = (top: bigint, bottom: bigint) => (top + bottom - 1n) / bottom;
const least = (left: bigint, right: bigint) => (left < right ? left : right);
export const most = (left: bigint, right: bigint) => (left > right ? left : right);

/** `unit`: the smallest unit in 10^-6. `perTetherE8`: units for 1 USDT at the start. `swing`: how far a step moves it, in 10^-4. */
export type Fiat = { code: "USD" | "EUR" | "JPY" | "NGN"; unit: bigint; perTetherE8: bigint; swing: number };
/** The prices of now, in 10^-8: of the coins in USD, and of USDT in the currency. */
export type Prices = { USDT: bigint; TRX: bigint; local: bigint };
type Quote = { due: bigint; fromMs: number; untilMs: number };
export type ModelMoney = { units: bigint; due: bigint; timeMs: number; isFinal: boolean };
export type ModelOrder = {
  charge: Charge;
  fiat: Fiat;
  /** in the smallest unit of the currency */
  price: bigint;
  feeBps: bigint;
  toleranceBps: bigint;
  expiresMs: number;
  lateMs: number;
  offers: Quote[];
  money: ModelMoney[];
  status: string;
  announced: string[];
};
export type Stored = { code: string; minuteMs: number; priceE8: bigint };
type Terms = Pick<ModelOrder, "fiat" | "price" | "feeBps">;

/** The due at a price of the coin in the currency: its rate has 4 decimals in USD, and 10 in others. */
function dueAt({ fiat, price, feeBps }: Terms, priceE8: bigint): bigint {
  const rateE10 =
    fiat.code === "USD" ? ceilDiv(10n ** 12n, priceE8) * 1_000_000n : ceilDiv(10n ** 18n, priceE8);
  const expected = ceilDiv(price * fiat.unit * rateE10, 10n ** 10n);
  return ceilDiv(expected * 10_000n, 10_000n - feeBps);
}

/** The price of a coin in the currency: USDT has its own, and TRX goes through USD and USDT. */
export function priceIn({ code }: Fiat, coin: "USDT" | "TRX", prices: Prices): bigint {
  if (code === "USD") return prices[coin];
  return coin === "USDT" ? prices.local : (prices.TRX * prices.local) / prices.USDT;
}

export const newestOf = ({ offers }: ModelOrder) => offers.at(-1) as Quote;

/** The due by the quote that applies to money of this time. */
export function applicableDue(order: ModelOrder, timeMs: number, stored: readonly Stored[]): bigint {
  const holding = order.offers.filter(
    ({ fromMs, untilMs }, index) => (index === 0 || timeMs >= fromMs) && timeMs <= untilMs + 15 * MINUTE_MS,
  );
  const cheapest = holding.reduce<bigint | null>(
    (low, { due }) => (low === null || due < low ? due : low),
    null,
  );
  if (cheapest !== null) return cheapest;
  const late = storedPrice(order, timeMs, stored);
  return late ? dueAt(order, late) : newestOf(order).due;
}

/**
 * The price of the coin by stored rates; none of USDT in USD. A price in USD is at most an hour old, and that of the currency at most two
 * minutes older than the newest offer. USDT in USD is that of the currency's minute.
 */
function storedPrice(order: ModelOrder, timeMs: number, stored: readonly Stored[]): bigint | undefined {
  const { fiat, charge } = order;
  const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
  const newest = (wanted: string, [oldestMs, latestMs]: readonly [number, number]) =>
    stored
      .filter(({ code, minuteMs: at }) => code === wanted && at <= latestMs && at >= oldestMs)
      .toSorted((left, right) => left.minuteMs - right.minuteMs)
      .at(-1);
  const hourTo = (atMs: number) => [atMs - 60 * MINUTE_MS, atMs] as const;
  const TRX = newest("TRX", hourTo(minuteMs))?.priceE8;
  if (fiat.code === "USD") return charge.currency === "TRX" ? TRX : undefined;
  const local = newest(fiat.code, [newestOf(order).fromMs - 2 * MINUTE_MS, minuteMs]);
  if (local === undefined || charge.currency === "USDT") return local?.priceE8;
  const USDT = newest("USDT", hourTo(local.minuteMs))?.priceE8;
  return TRX && USDT && priceIn(fiat, "TRX", { TRX, local: local.priceE8, USDT });
}

/** Money below the bound of its currency counts for nothing. No order here asks for less than the bound. */
export function isBelowBound({ charge: { currency } }: ModelOrder, { units }: ModelMoney): boolean {
  return units < (currency === "USDT" ? 10_000n : 100_000n);
}

/** The credited amount of money against the current due, compared with exact fractions. */
export function credited(order: ModelOrder, which: (money: ModelMoney) => boolean): bigint {
  const { due } = newestOf(order);
  const money = order.money.filter((part) => which(part) && !isBelowBound(order, part));
  const sum = money.reduce((all, { units, due: applicable }) => all + ceilDiv(units * WHOLE, applicable), 0n);
  const worth = (sum * due) / WHOLE;
  const exact = money.reduce(
    ({ top, bottom }, { units, due: applicable }) => ({
      top: top * applicable + units * due * bottom,
      bottom: bottom * applicable,
    }),
    { top: 0n, bottom: 1n },
  );
  // Rounding loses no unit, and adds one only if the fraction was less than a millionth short of it.
  const isNear =
    worth * exact.bottom <= exact.top + exact.bottom / 1_000_000n && (worth + 1n) * exact.bottom > exact.top;
  if (!isNear) throw new Error(`${worth} is not ${exact.top} / ${exact.bottom}`);
  return worth;
}

export function verdictOf(order: ModelOrder, worth: bigint): string {
  const { due } = newestOf(order);
  if (worth <= 0n) return "none";
  if (worth - due > most(least(due / 100n, 1_000_000n), 10_000n)) return "over";
  const tolerance = most(least(due / 100n, 10_000n), (due * order.toleranceBps) / 10_000n);
  return worth >= most(due - tolerance, 1n) ? "exact" : "under";
}

export function sumsOf(order: ModelOrder) {
  return {
    onTime: credited(order, ({ timeMs, isFinal }) => isFinal && timeMs <= order.expiresMs),
    inWindow: credited(order, ({ timeMs, isFinal }) => isFinal && timeMs <= order.lateMs),
    total: credited(order, ({ isFinal }) => isFinal),
  };
}

function settle(order: ModelOrder): void {
  const { onTime, inWindow, total } = sumsOf(order);
  const isPaid = (worth: bigint) => ["exact", "over"].includes(verdictOf(order, worth));
  const made = [
    ...(isPaid(inWindow) ? ["order.paid"] : []),
    ...(verdictOf(order, inWindow) === "over" ? ["order.overpaid"] : []),
    ...(isPaid(total) && !isPaid(onTime) ? ["order.paid_late"] : []),
  ];
  order.announced.push(...made.filter((type) => !order.announced.includes(type)));
  if (isPaid(inWindow)) order.status = "ARCHIVED";
}

/** One step of the chain to this time: money in time, then the order's expiry, then late money. */
export function follow(order: ModelOrder, timeMs: number): void {
  const confirm = (isLate: boolean) => {
    const now = order.money.filter((money) => !money.isFinal && money.timeMs > order.expiresMs === isLate);
    for (const money of now) money.isFinal = true;
    if (now.length > 0) settle(order);
  };
  confirm(false);
  if (order.status === "ACTIVE" && timeMs > order.expiresMs) {
    order.status = "EXPIRED";
    const came = order.money.some(
      (money) => money.isFinal && money.timeMs <= order.expiresMs && !isBelowBound(order, money),
    );
    order.announced.push(came ? "order.underpaid" : "order.expired");
  }
  confirm(true);
}

export const quoteAt = (of: Terms, priceE8: bigint, fromMs: number): Quote => ({
  due: dueAt(of, priceE8),
  fromMs,
  untilMs: fromMs + 10 * MINUTE_MS,
});

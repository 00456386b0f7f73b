import { isRightMac } from "./address-mac.ts";
import type { SignerConfig } from "./config.ts";
import type { Destination } from "./destinations.ts";

/**
 * A request of the service. It is not trusted: a rule below bounds each field, or the signer derives it
 * itself.
 */
export type SigningRequest = {
  readonly id: string;
  readonly kind: "sweep" | "top_up" | "delegate" | "undelegate";
  readonly merchantId: string | null;
  /** index of the deposit address: the sender of a sweep, the receiver of everything else */
  readonly index: number;
  readonly address: string;
  readonly checkoutToken: string | null;
  readonly addressMac: Uint8Array | null;
  /** TRX or a token of the configuration, which a rule proves */
  readonly currency: string | null;
  readonly recipient: "merchant" | "operator" | null;
  readonly destination: string | null;
  /** minor units of a sweep's currency; sun of a top-up; sun of stake of a delegation */
  readonly units: bigint;
  /** sun */
  readonly feeLimit: bigint;
  readonly blockNumber: bigint;
  readonly blockId: string;
  readonly blockTimeMs: number;
  readonly expiresAtMs: number;
};

/** A transaction that may have left the signer, from the journal. */
export type Intent = Pick<
  SigningRequest,
  "kind" | "merchantId" | "index" | "currency" | "recipient" | "units" | "expiresAtMs"
> & {
  readonly requestId: string;
  /** base58check */
  readonly from: string;
  readonly to: string;
  /** the day (UTC) whose limits it counts for, like 2026-11-30 */
  readonly day: string;
  readonly txId: string;
  /** raw_data in hex */
  readonly rawHex: string;
};

/** The signer's own knowledge for a decision. */
export type Knowledge = {
  readonly config: SignerConfig;
  /** this machine's clock */
  readonly clockMs: number;
  /** the address of the signer's own seed at the request's index */
  readonly ownAddress: string;
  readonly integrityKey: Uint8Array | undefined;
  /** the list's entries in effect for a merchant, or for "operator", oldest first */
  destinationsOf(merchantId: string): readonly Destination[];
  /** the number of merchants that the list has ever named */
  readonly merchants: number;
  readonly journal: {
    readonly newestMs: number;
    /** of the last two days, oldest first */
    readonly intents: readonly Intent[];
    /** minor units signed for the operator, by {@link shareKey} */
    readonly shares: ReadonlyMap<string, bigint>;
    /** the newest top-up of each address of which no sweep of a token was signed since, by index */
    readonly unusedTopUps: ReadonlyMap<number, Intent>;
  };
};

/** The reason of a refusal in one line; undefined if the rule is satisfied. */
type Rule = (request: SigningRequest, known: Knowledge) => string | undefined;

const MINUTE_MS = 60_000;
const MAX_UNITS = 2n ** 63n - 1n;
/** The longest time from a transaction's block to its expiry. */
export const MAX_LIFE_MS = { online: 10 * MINUTE_MS, offline: 20 * 60 * MINUTE_MS };
/** The last block that can hold a transaction is solid this long after its expiry, despite clock differences. */
export const EXPIRY_MARGIN_MS = 10 * MINUTE_MS;
export const CLOCK_SKEW_MS = 2 * MINUTE_MS;
const TOP_UPS_PER_DAY = 3;
/** The most that a TRX transfer burns: activation and bandwidth. */
const TOP_UP_FEE_SUN = 1_500_000n;

/** The rules of each kind of request. */
const always = [isOwnAddress, hasAmount, namesItsBlock, agreesWithTheClock, expiresInTime];
const delegation = [...always, hasNoFeeLimit, lendsOwnStakeOnline];
const owned = [...always, isOfMerchant];
const rules: Readonly<Record<SigningRequest["kind"], readonly Rule[]>> = {
  sweep: [...owned, goesWhereListed, hasFeeLimit, leavesGas, followsNoLiveSweep, keepsFeeCeiling],
  top_up: [...owned, hasNoFeeLimit, keepsGasLimits, followsNoLiveTopUp, isOneOfFewTopUps],
  delegate: delegation,
  undelegate: delegation,
};

/** The first reason to refuse a request; undefined if it may be signed. */
export function findRefusal(request: SigningRequest, known: Knowledge): string | undefined {
  if (!Object.hasOwn(rules, request.kind)) return `kind must be one of ${Object.keys(rules).join(", ")}`;
  for (const rule of rules[request.kind]) {
    const reason = rule(request, known);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The signer's own seed has this address at this index. */
function isOwnAddress({ address, index }: SigningRequest, { ownAddress }: Knowledge) {
  if (address === ownAddress) return undefined;
  return `address ${address} is not index ${index} of this seed, which is ${ownAddress}: has the service another xpub?`;
}

function hasAmount({ units }: SigningRequest) {
  return units > 0n && units <= MAX_UNITS ? undefined : `units must be 1 to ${MAX_UNITS}, not ${units}`;
}

/** Only number and id are compared: a transaction that names a nonexistent block just fails. */
function namesItsBlock({ blockNumber, blockId }: SigningRequest) {
  const isId = /^[0-9a-f]{64}$/.test(blockId) && BigInt(`0x${blockId.slice(0, 16)}`) === blockNumber;
  return isId ? undefined : `block_id ${blockId} is not that of block ${blockNumber}`;
}

/** A clock that was set back would open a day or a month again; a wrong clock gives wrong expiries. */
function agreesWithTheClock({ blockTimeMs }: SigningRequest, { config, clockMs, journal }: Knowledge) {
  const clock = `this machine's clock says ${timeOf(clockMs)}`;
  const { newestMs } = journal;
  if (clockMs < newestMs - CLOCK_SKEW_MS) return `${clock}, the journal's newest line ${timeOf(newestMs)}`;
  const aheadMs = blockTimeMs - clockMs;
  const isRight = aheadMs <= CLOCK_SKEW_MS && (config.isOffline || aheadMs >= -CLOCK_SKEW_MS);
  return isRight || config.network === "devnet" ? undefined : `${clock}, the block ${timeOf(blockTimeMs)}`;
}

function expiresInTime(request: SigningRequest, known: Knowledge) {
  const maxMs = known.config.isOffline ? MAX_LIFE_MS.offline : MAX_LIFE_MS.online;
  const isShort = request.expiresAtMs - request.blockTimeMs <= maxMs;
  if (!isShort) return `expires_at is more than ${maxMs / MINUTE_MS} min after the block`;
  return request.expiresAtMs > nowOf(request, known) ? undefined : "the request has expired";
}

/** The MAC proves the owner of the address; with a single merchant in the list there is no other owner. */
function isOfMerchant(request: SigningRequest, known: Knowledge) {
  const { config, integrityKey, merchants } = known;
  const { index, address, addressMac, merchantId, checkoutToken } = request;
  if (merchantId === null || merchantId === "operator" || known.destinationsOf(merchantId).length === 0) {
    return `merchant ${merchantId} has no destination: none is approved, none acts yet, or it was withdrawn`;
  }
  if (merchants === 1) return undefined;
  if (integrityKey === undefined) return "DARIC_INTEGRITY_KEY is missing, and the list has several merchants";
  const issued = [config.network, index, address, merchantId, checkoutToken ?? ""];
  if (addressMac !== null && isRightMac(integrityKey, issued, addressMac)) return undefined;
  return `address_mac does not prove that ${address} is of merchant ${merchantId}`;
}

/** The list has the recipient; of several wallets of one merchant the service chooses. */
function goesWhereListed({ recipient, merchantId, destination }: SigningRequest, known: Knowledge) {
  if (recipient !== "merchant" && recipient !== "operator") return "recipient must be merchant or operator";
  const payee = recipient === "operator" ? recipient : (merchantId ?? "");
  const listed = known.destinationsOf(payee).map(({ address }) => address);
  if (listed.length === 0) return "the operator has no destination: approve one with --merchant operator";
  if (listed.includes(destination)) return undefined;
  return `destination ${destination} is not ${listed.join(" or ")}, as the list has it`;
}

/** Only a transfer of a token of the signer's own configuration may burn energy, within the signer's own limit. */
function hasFeeLimit(request: SigningRequest, known: Knowledge) {
  const { currency, feeLimit } = request;
  const { limits, tokens } = known.config;
  if (currency === "TRX") return hasNoFeeLimit(request);
  if (currency === null || !Object.hasOwn(tokens, currency))
    return `currency must be ${Object.keys(tokens).join(" or ")} or TRX`;
  if (feeLimit > 0n && feeLimit <= limits.feeLimitSun) return undefined;
  return `fee_limit must be above 0 and at most ${trx(limits.feeLimitSun)}, not ${trx(feeLimit)}`;
}

function hasNoFeeLimit({ feeLimit }: SigningRequest) {
  return feeLimit === 0n ? undefined : "fee_limit must be 0";
}

/**
 * The stake account comes from the signer's own configuration; an offline signer could not undelegate in
 * time.
 */
function lendsOwnStakeOnline(_: SigningRequest, { config: { stakeAddress, isOffline } }: Knowledge) {
  if (isOffline) return "an offline signer signs sweeps and top-ups only";
  return stakeAddress === undefined ? "config.json names no stakeAddress" : undefined;
}

/** Gas is lent for a sweep of a token, which burns it: it does not leave as a merchant's TRX. */
function leavesGas({ currency, index }: SigningRequest, { journal: { unusedTopUps } }: Knowledge) {
  const last = currency === "TRX" ? unusedTopUps.get(index) : undefined;
  return last && `this address was topped up by ${last.txId}, and no sweep of a token was signed since`;
}

/** An address is swept again only when the previous sweep can no longer enter a block. */
function followsNoLiveSweep(request: SigningRequest, known: Knowledge) {
  const isLive = (intent: Intent) => intent.kind === "sweep" && mayLand(intent, request, known);
  const live = intentsOf(request, known).find(isLive);
  return live && `this address was swept by ${live.txId}, which may land until ${timeOf(live.expiresAtMs)}`;
}

/** The merchant's newest entry limits the operator's share in a calendar month (UTC). */
function keepsFeeCeiling(request: SigningRequest, known: Knowledge) {
  const { recipient, merchantId, currency, units } = request;
  if (recipient !== "operator" || currency === null) return undefined;
  const month = dayOf(request, known).slice(0, 7);
  const ceiling = known.destinationsOf(merchantId ?? "").at(-1)?.feeCeiling[currency] ?? 0n;
  const before = known.journal.shares.get(shareKey(month, merchantId, currency)) ?? 0n;
  if (before + units <= ceiling) return undefined;
  const sums = `${formatUnits(before)} + ${formatUnits(units)} ${currency} of ${formatUnits(ceiling)}`;
  return `the operator's share of merchant ${merchantId} in ${month} would be above its ceiling: ${sums}`;
}

function keepsGasLimits(request: SigningRequest, known: Knowledge) {
  const { topUpSun, gasPerDaySun } = known.config.limits;
  if (request.units > topUpSun) return `a top-up must be at most ${trx(topUpSun)}, not ${trx(request.units)}`;
  const day = dayOf(request, known);
  const topUps = known.journal.intents.filter((intent) => intent.kind === "top_up" && intent.day === day);
  const sum = [request, ...topUps].reduce((sun, { units }) => sun + units + TOP_UP_FEE_SUN, 0n);
  if (sum <= gasPerDaySun) return undefined;
  return `the gas of ${day} would be ${trx(sum)}, above ${trx(gasPerDaySun)}`;
}

/**
 * A second top-up follows a sweep of a token, or the first one's expiry. A top-up that never reached the chain must
 * not block the address.
 */
function followsNoLiveTopUp(request: SigningRequest, known: Knowledge) {
  const last = known.journal.unusedTopUps.get(request.index);
  if (last === undefined || !mayLand(last, request, known)) return undefined;
  return `this address was topped up by ${last.txId}, which may land until ${timeOf(last.expiresAtMs)}, and not swept since`;
}

function isOneOfFewTopUps(request: SigningRequest, known: Knowledge) {
  const day = dayOf(request, known);
  const topUps = intentsOf(request, known).filter((intent) => intent.kind === "top_up" && intent.day === day);
  if (topUps.length < TOP_UPS_PER_DAY) return undefined;
  return `this address had ${TOP_UPS_PER_DAY} top-ups on ${day}`;
}

function intentsOf({ index }: SigningRequest, { journal }: Knowledge): Intent[] {
  return journal.intents.filter((intent) => intent.index === index);
}

/** The devnet's clock is the request's block: tests move it, and its money has no value. */
function nowOf({ blockTimeMs }: SigningRequest, { config, clockMs }: Knowledge): number {
  return config.network === "devnet" ? blockTimeMs : clockMs;
}

function mayLand({ expiresAtMs }: Intent, request: SigningRequest, known: Knowledge): boolean {
  const marginMs = known.config.network === "devnet" ? 0 : EXPIRY_MARGIN_MS;
  return nowOf(request, known) <= expiresAtMs + marginMs;
}

/** The day (UTC) whose limits a request counts for. */
export function dayOf(request: SigningRequest, known: Knowledge): string {
  return timeOf(nowOf(request, known)).slice(0, 10);
}

/** The key of a sum of the operator's shares. */
export function shareKey(month: string, merchantId: string | null, currency: string | null): string {
  return `${month} ${merchantId} ${currency}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function trx(sun: bigint): string {
  return `${formatUnits(sun)} TRX`;
}

/** Minor units of a coin as a decimal: each has six places. */
export function formatUnits(units: bigint): string {
  const digits = String(units).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0{1,6}$/, "");
}

/** `5 USDT and 0 TRX a month` */
export function ceilingText({ feeCeiling }: Destination): string {
  const sums = Object.entries(feeCeiling).map(([code, units]) => `${formatUnits(units)} ${code}`);
  return `${sums.join(" and ")} a month`;
}

/** A short text without control characters, which may quote a request. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, " ").slice(0, 500);
}

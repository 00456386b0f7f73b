import { isAddress } from "@daric/tron/address";

/** A TRC-20 token. Amounts have 6 places everywhere, so one with others is refused. */
type Token = { readonly contract: string; readonly decimals: 6 };

/** `config.json` of the signer's home: `init` writes it, an editor changes it. */
export type SignerConfig = {
  readonly network: "mainnet" | "nile" | "shasta" | "devnet" | "private";
  /** id of block 0 */
  readonly genesisId: string;
  /** by code; of no other contract it signs a transfer */
  readonly tokens: Readonly<Record<string, Token>>;
  /** n of m/44'/195'/n' */
  readonly account: number;
  /** BIP-32 fingerprint of the account's key, which identifies the seed */
  readonly xpubFingerprint: string;
  /** its active permission 2 names the key …/1/1 */
  readonly stakeAddress?: string | undefined;
  /** ed25519, hex */
  readonly operatorPublicKey: string;
  /** signs files instead of serving, with expiries of up to 20 h */
  readonly isOffline: boolean;
  /** sun: burned by one transfer of a token; of one top-up; of all top-ups of a day (UTC) with their fees */
  readonly limits: { readonly feeLimitSun: bigint; readonly topUpSun: bigint; readonly gasPerDaySun: bigint };
};

const networks = ["mainnet", "nile", "shasta", "devnet", "private"];
const tokenAt = (contract: string): Token => ({ contract, decimals: 6 });
/** The values of public networks are compiled in, so that no file can name another chain or token. */
const publicNetworks: Readonly<Record<string, Pick<SignerConfig, "genesisId" | "tokens">>> = {
  mainnet: {
    genesisId: "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
    tokens: { USDT: tokenAt("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t") },
  },
  nile: {
    genesisId: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
    tokens: { USDT: tokenAt("TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf") },
  },
  shasta: {
    genesisId: "0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e",
    tokens: { USDT: tokenAt("TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs") },
  },
};
/** The code of a coin. */
export const CODE = /^[A-Z0-9]{2,10}$/;
export const defaultLimits = { feeLimitSun: "30000000", topUpSun: "20000000", gasPerDaySun: "1000000000" };

/** @throws SignerError with the field and its rule. */
export function parseConfig(text: string): SignerConfig {
  const given = parseObject(text, "config.json");
  const known = publicNetworks[String(given.network)];
  const { usdtContract, ...file } = given;
  const own = { USDT: tokenAt(String(usdtContract)), ...Object(given.tokens) };
  const fields: Record<string, unknown> = { account: 0, isOffline: false, ...file, tokens: own, ...known };
  const limits = Object.entries<unknown>({ ...defaultLimits, ...Object(given.limits) });
  const wrong = limits.find(([, sun]) => !/^\d{1,18}$/.test(String(sun)));
  const { network, genesisId, tokens, account, stakeAddress } = fields;
  const isPrivate = known === undefined || (given.genesisId ?? usdtContract ?? given.tokens) === undefined;
  const rules: readonly (readonly [field: string, isRight: boolean, rule: string])[] = [
    ["network", networks.includes(String(network)), `one of ${networks.join(", ")}`],
    ["genesisId, usdtContract and tokens", isPrivate, `left out: those of ${network} are compiled in`],
    ["genesisId", isHexOf(genesisId, 64), "the id of block 0, 64 hex characters (--genesis-id of init)"],
    ["usdtContract", isToken(["USDT", Object(tokens).USDT]), "an address (T…) (--usdt-contract of init)"],
    ["tokens", Object.entries(Object(tokens)).every(isToken), "contracts (T…) of 6 decimals by code"],
    ["account", Number.isInteger(account) && Number(account) >= 0, "a whole number from 0 on"],
    ["xpubFingerprint", isHexOf(fields.xpubFingerprint, 8), "8 hex characters"],
    ["stakeAddress", stakeAddress === undefined || isAddress(String(stakeAddress)), "an address (T…)"],
    ["operatorPublicKey", isHexOf(fields.operatorPublicKey, 64), "an ed25519 public key, 64 hex characters"],
    ["isOffline", typeof fields.isOffline === "boolean", "true or false"],
    ["limits", limits.length === 3, `none but ${Object.keys(defaultLimits).join(", ")}`],
    [`limits.${wrong?.[0]}`, wrong === undefined, "sun, as digits in quotes"],
  ];
  const broken = rules.find(([, isRight]) => !isRight);
  must(broken === undefined, `config.json: ${broken?.[0]} must be ${broken?.[2]}`);
  const inSun = Object.fromEntries(limits.map(([name, sun]) => [name, BigInt(String(sun))]));
  return { ...fields, limits: inSun } as SignerConfig;
}

function isToken([code, token]: [string, unknown]): boolean {
  const { contract, decimals } = Object(token);
  return CODE.test(code) && code !== "TRX" && isAddress(String(contract)) && decimals === 6;
}

/** A refusal of the signer: one line, for people. */
export class SignerError extends Error {
  override readonly name = "SignerError";
}

/** @throws SignerError with the reason if a condition is false. */
export function must(isRight: unknown, reason: string): asserts isRight {
  if (!isRight) throw new SignerError(reason);
}

type Reviver = (name: string, value: unknown) => unknown;

/** @throws SignerError for anything but a JSON object, for example a truncated file. */
export function parseObject(text: string, name: string, read?: Reviver): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text, read);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The next line reports it.
  }
  throw new SignerError(`${name} is truncated or no JSON object`);
}

/** JSON with big numbers as text. */
export function toJson(value: object, indent?: number): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part), indent);
}

export function isHexOf(value: unknown, digits: number): boolean {
  return typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value);
}

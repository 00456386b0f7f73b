import { addressWord, uintWord } from "@daric/tron/abi";
import { changeSettings, type LocalChain, readState } from "../chain/chain.ts";
import { callAsOwner, type TokenCall } from "../chain/treasury.ts";
import { SLOTS } from "../contract/token-call.ts";
import { storageOf } from "../ledger/contracts.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import {
  MAX_SETTING,
  minValue,
  NETWORK_SETTINGS,
  type SettingName,
  settingValue,
  TOKEN_SETTINGS,
} from "../ledger/settings.ts";
import { overlayOn } from "../ledger/state.ts";
import {
  addressesField,
  type ControlBody,
  ControlError,
  optionalFlag,
  optionalInteger,
} from "./control-fields.ts";

/** The token's own bounds: below 20 basis points, and below 50 whole tokens. */
const MAX_RATE = 19;
const MAX_MAXIMUM_FEE = 49;
const UNITS_PER_TOKEN = 1_000_000n;

export const TOKEN_FIELDS: readonly string[] = [
  "blacklist",
  "unblacklist",
  "paused",
  "basisPointsRate",
  "maximumFee",
  ...TOKEN_SETTINGS,
];

export function networkSettings(chain: LocalChain): object {
  return valuesOf(chain, NETWORK_SETTINGS);
}

/**
 * Sets chain parameters and the network's other stake with the next block.
 * @throws ControlError for a name without effect, and for a value out of bounds.
 */
export function setParameters(chain: LocalChain, parameters: unknown): void {
  if (parameters === undefined) return;
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters))
    throw new ControlError("parameters", "must be an object of parameters by name");
  const stray = Object.keys(parameters).find((name) => !NETWORK_SETTINGS.some((known) => known === name));
  if (stray !== undefined)
    throw new ControlError(stray, `cannot be set; what can be is ${NETWORK_SETTINGS.join(", ")}`);
  changeSettings(chain, readSettings({ ...parameters }, NETWORK_SETTINGS));
}

/** GET /devchain/token: the pause, the fee and the energy of transfers. */
export function describeToken({ chain }: { readonly chain: LocalChain }): object {
  const { paused, basisPointsRate, maximumFee } = tokenState(chain);
  return { paused, basisPointsRate, maximumFee, ...valuesOf(chain, TOKEN_SETTINGS) };
}

/**
 * POST /devchain/token: calls the token as its owner, and sets the energy of transfers with the next block.
 * @throws ControlError for a field out of bounds.
 */
export function changeToken({ chain }: { readonly chain: LocalChain }, body: ControlBody): object {
  const calls = tokenCalls(chain, body);
  changeSettings(chain, readSettings(body, TOKEN_SETTINGS));
  const txids = calls.map((call) => callAsOwner(chain, call));
  return { txids, ...describeToken({ chain }) };
}

function tokenCalls(chain: LocalChain, body: ControlBody): TokenCall[] {
  const state = tokenState(chain);
  const paused = optionalFlag(body, "paused");
  const rate = optionalInteger(body, "basisPointsRate", [0, MAX_RATE]);
  const maximum = optionalInteger(body, "maximumFee", [0, MAX_MAXIMUM_FEE]);
  const listed = (field: string, signature: string) =>
    addressesField(body, field).map((address) => ({ signature, words: [addressWord(address)] }));
  const calls: TokenCall[] = [
    ...listed("blacklist", "addBlackList(address)"),
    ...listed("unblacklist", "removeBlackList(address)"),
  ];
  // The token refuses to be paused twice.
  if (paused !== undefined && paused !== state.paused)
    calls.push({ signature: paused ? "pause()" : "unpause()", words: [] });
  if (rate !== undefined || maximum !== undefined) {
    const numbers = [rate ?? state.basisPointsRate, maximum ?? state.maximumFee];
    const words = numbers.map((number) => uintWord(BigInt(number)));
    calls.push({ signature: "setParams(uint256,uint256)", words });
  }
  return calls;
}

/** The maximum fee is in whole tokens. */
function tokenState(chain: LocalChain): { paused: boolean; basisPointsRate: number; maximumFee: number } {
  const storage = storageOf(overlayOn(readState(chain, "head")), GENESIS.usdtContract);
  return {
    paused: storage.get(SLOTS.paused) !== 0n,
    basisPointsRate: Number(storage.get(SLOTS.basisPointsRate)),
    maximumFee: Number(storage.get(SLOTS.maximumFee) / UNITS_PER_TOKEN),
  };
}

function readSettings(body: ControlBody, names: readonly SettingName[]): Map<SettingName, bigint> {
  const given = names.filter((name) => body[name] !== undefined);
  return new Map(given.map((name) => [name, settingField(name, body[name])]));
}

/** A whole number, or one of many digits as text. */
function settingField(name: SettingName, value: unknown): bigint {
  const text = typeof value === "number" ? String(value) : value;
  const number = typeof text === "string" && /^\d{1,18}$/.test(text) ? BigInt(text) : -1n;
  if (number >= minValue(name) && number <= MAX_SETTING) return number;
  throw new ControlError(name, `must be an integer from ${minValue(name)} to ${MAX_SETTING}`);
}

function valuesOf(chain: LocalChain, names: readonly SettingName[]): object {
  const state = readState(chain, "head");
  return Object.fromEntries(names.map((name) => [name, Number(settingValue(state, name))]));
}

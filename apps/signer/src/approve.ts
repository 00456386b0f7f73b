import { createPrivateKey } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { must, parseConfig } from "./config.ts";
import { type Destination, faultOfDestination, parseDestinations, signDestination } from "./destinations.ts";
import { homePath, type Options, readFile, type SignerTerminal } from "./home.ts";
import { ceilingText } from "./policy.ts";

/** The beginning of an option with the ceiling of a coin. */
const CEILING = "fee-ceiling-";

/**
 * `daric-signer approve`: shows an entry of the operator's list, asks for confirmation, signs it with the
 * operator's key and adds it. It needs no seed, so another computer can do it with a copy of `config.json`
 * and `destinations.jsonl`.
 *
 * @throws SignerError with the fault of the entry or the key, and for any answer but yes.
 */
export async function approve(terminal: SignerTerminal, options: Options): Promise<void> {
  const config = parseConfig(readFile(homePath(terminal, options, "config.json")));
  const path = homePath(terminal, options, "destinations.jsonl");
  const text = existsSync(path) ? readFile(path) : "";
  must(/(^|\n)$/.test(text), "the last line of destinations.jsonl has no end");
  const { merchant, name, address, withdraw, additional, permissions } = options;
  must((address === undefined) === (withdraw === true), "give --address T… or --withdraw");
  const ceilings = Object.entries(options).filter(([name]) => name.startsWith(CEILING));
  const feeCeiling = { USDT: 0n, TRX: 0n, ...Object.fromEntries(ceilings.map(readCeiling)) };
  const codes = [...Object.keys(config.tokens), "TRX"];
  for (const code in feeCeiling) must(codes.includes(code), `${code}: config.json has ${codes.join(", ")}`);
  const entry: Destination = {
    counter: (parseDestinations(text, config).at(-1)?.counter ?? 0) + 1,
    merchantId: String(merchant),
    name: String(name ?? ""),
    address: address === undefined ? null : String(address),
    feeCeiling,
    ...(additional === true && { isAdditional: true }),
    ...(permissions !== undefined && { permissions: String(permissions) }),
  };
  must(!faultOfDestination(entry), faultOfDestination(entry) ?? "");
  must(options["operator-key"] !== undefined, "name the file of the operator's key: --operator-key");
  const pem = readFile(options["operator-key"]);
  must(pem.includes("PRIVATE KEY"), "--operator-key must name a file with a private key in PEM");
  const line = signDestination(entry, config, createPrivateKey(pem));
  parseDestinations(text + line, config);
  terminal.write(`network      ${config.network} (${config.genesisId})
seed         ${config.xpubFingerprint}
merchant     ${entry.merchantId}
name         ${entry.name}
address      ${entry.address ?? "none: the merchant's destination is withdrawn"}${additional ? ", beside the earlier ones" : ""}
fee ceiling  ${ceilingText(entry)}
moved by     ${permissions === "own" ? "its own key alone" : (permissions ?? "not confirmed")}
counter      ${entry.counter}\n`);
  must((await terminal.ask("Sign this? Type yes: ")).trim() === "yes", "nothing was signed");
  appendFileSync(path, line, { mode: 0o600, flush: true });
}

function readCeiling([name, text]: [string, unknown]): [code: string, units: bigint] {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(String(text)) ?? [];
  must(whole !== undefined, `a fee ceiling is an amount with up to 6 places, not ${text}`);
  return [name.slice(CEILING.length).toUpperCase(), BigInt(whole + fraction.padEnd(6, "0"))];
}

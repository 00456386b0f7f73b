import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { openAccountKeys } from "@daric/tron/keys/account-keys";
import { createSeed, readMnemonic } from "@daric/tron/seed";
import { gasKey, stakeKey } from "./build-transaction.ts";
import { defaultLimits, must, parseConfig } from "./config.ts";
import { askPassphrase, homePath, type Options, readFile, type SignerTerminal } from "./home.ts";
import { createJournal } from "./journal.ts";
import { sealSeed } from "./seed-file.ts";

const MIN_CHARACTERS = 12;

/**
 * `daric-signer init`: makes a home with a new seed, or with given words. Words that another signer may have
 * used get no journal: `adopt` begins it.
 *
 * @throws SignerError with the missing or wrong field; nothing is written then.
 */
export async function init(terminal: SignerTerminal, options: Options): Promise<void> {
  const path = (name: string) => homePath(terminal, options, name);
  const isNew = options["words-from-stdin"] !== true;
  const words = isNew ? createSeed() : readMnemonic((await terminal.readInput()).toLowerCase());
  const account = Number(options.account ?? 0);
  must(Number.isInteger(account) && account >= 0, "--account must be a whole number");
  const keys = openAccountKeys(words, account);
  const keyFile = options["operator-key"];
  must(keyFile !== undefined, "name the file of the operator's key, or of a new one: --operator-key");
  const operator = operatorKey(String(keyFile));
  const config = {
    network: options.network,
    genesisId: options["genesis-id"],
    usdtContract: options["usdt-contract"],
    account,
    xpubFingerprint: parseAccountXpub(keys.xpub).fingerprint,
    stakeAddress: options["stake-address"],
    operatorPublicKey: operator.publicKey,
    isOffline: options.offline === true,
    limits: defaultLimits,
  };
  parseConfig(JSON.stringify(config));
  const passphrase = await askPassphrase(terminal, options, "New passphrase of the seed: ");
  must(passphrase.length >= MIN_CHARACTERS, `the passphrase must have ${MIN_CHARACTERS} characters`);
  const again = await askPassphrase(terminal, options, "Once more: ");
  must(again === passphrase, "the two passphrases differ");
  const write = (file: string, text: string) => writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  mkdirSync(path(""), { recursive: true, mode: 0o700 });
  if (operator.newPem !== undefined) write(String(keyFile), operator.newPem);
  write(path("config.json"), `${JSON.stringify(config, null, 2)}\n`);
  write(path("seed.enc"), sealSeed(words, passphrase));
  const isUnused = isNew || options["never-signed"] === true;
  if (isUnused) createJournal(path("journal.jsonl"), "init", terminal.clock());
  const { xpubFingerprint, operatorPublicKey } = config;
  const addresses = { gasAddress: keys.addressAt(gasKey), stakePermissionAddress: keys.addressAt(stakeKey) };
  const made = { ...(isNew && { words }), xpub: keys.xpub, xpubFingerprint, ...addresses, operatorPublicKey };
  terminal.write(`${JSON.stringify(made, null, 2)}\n`);
}

/** The operator's key in a PEM file; without the file, a new one to write there. */
function operatorKey(file: string): { readonly publicKey: string; readonly newPem: string | undefined } {
  const made = existsSync(file) ? undefined : generateKeyPairSync("ed25519").privateKey;
  const newPem = made?.export({ type: "pkcs8", format: "pem" }).toString();
  const { crv, x = "" } = createPublicKey(newPem ?? readFile(file)).export({ format: "jwk" });
  must(crv === "Ed25519", "the operator's key must be an ed25519 key");
  return { publicKey: Buffer.from(x, "base64url").toString("hex"), newPem };
}

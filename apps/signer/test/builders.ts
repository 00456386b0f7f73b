import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import "./remember-scrypt.ts";
import { macOf } from "@daric/runtime/mac";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { parseAccountXpub } from "@daric/tron/account-xpub";
import { hexToAddress } from "@daric/tron/address";
import { openAccountKeys } from "@daric/tron/keys/account-keys";
import { keyPairFromPhrase } from "@daric/tron/signature";
import type { SignerConfig } from "../src/config.ts";
import { type Destination, signDestination } from "../src/destinations.ts";
import { createJournal, openJournal } from "../src/journal.ts";
import { updateDestinations } from "../src/open-signer.ts";
import type { SigningRequest } from "../src/policy.ts";
import type { Signer } from "../src/sign-request.ts";

/** These words are public; they hold no money. */
export const words = `${"abandon ".repeat(11)}about`;
export const keys = openAccountKeys(words, 0);
export const operator = generateKeyPairSync("ed25519");
export const integrityKey = Buffer.alloc(32, 7);
export const [alice, bob] = ["0198c1f0-0000-7000-8000-00000000000a", "0198c1f0-0000-7000-8000-00000000000b"];
export const walletOf = (phrase: string) => hexToAddress(keyPairFromPhrase(phrase).address);
export const gasAddress = keys.addressAt([1, 0]);
export const stakeAddress = walletOf("stake");

const NOON_MS = Date.parse("2026-11-25T12:00:00Z");
const MINUTE_MS = 60_000;

const folders: string[] = [];

/** Removes the folders of a test file; call it in `afterAll`. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function aFolder(): string {
  const folder = mkdtempSync(join(scratchFolder(), "daric-signer-"));
  folders.push(folder);
  return folder;
}

export function aConfig(changes: Partial<SignerConfig> = {}): SignerConfig {
  return {
    network: "nile",
    genesisId: "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc",
    tokens: { USDT: aToken("TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf") },
    account: 0,
    xpubFingerprint: parseAccountXpub(keys.xpub).fingerprint,
    stakeAddress,
    operatorPublicKey: publicHex(operator.publicKey),
    isOffline: false,
    limits: { feeLimitSun: 30_000_000n, topUpSun: 20_000_000n, gasPerDaySun: 100_000_000n },
    ...changes,
  };
}

export function aToken(contract: string): SignerConfig["tokens"][string] {
  return { contract, decimals: 6 };
}

export function publicHex(key: { export(options: { format: "jwk" }): { x?: string } }): string {
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
}

let counter = 0;

/** An entry of the list with the next counter. */
export function anEntry(merchantId: string, changes: Partial<Destination> = {}): Destination {
  counter += 1;
  const address = walletOf(`wallet of ${merchantId}`);
  const feeCeiling = { USDT: 50_000_000n, TRX: 0n };
  return { counter, merchantId, name: "A shop", address, feeCeiling, ...changes };
}

export type TestSigner = Signer & { now: number; rewriteList(entries: readonly Destination[]): void };

/**
 * A signer in a home of its own, which saw its list a day ago: Alice, Bob and the operator have a wallet
 * each.
 */
export async function aSigner(
  changes: {
    config?: Partial<SignerConfig>;
    entries?: readonly Destination[];
    integrityKey?: Buffer | undefined;
  } = {},
): Promise<TestSigner> {
  const folder = aFolder();
  const config = aConfig(changes.config);
  const path = join(folder, "journal.jsonl");
  createJournal(path, "init", NOON_MS - 25 * 60 * MINUTE_MS);
  const list = { path: join(folder, "destinations.jsonl"), text: undefined, entries: [] };
  const signer: TestSigner = {
    config,
    keys,
    journal: await openJournal(path),
    integrityKey: "integrityKey" in changes ? changes.integrityKey : integrityKey,
    list,
    now: NOON_MS - 24 * 60 * MINUTE_MS,
    clock: () => signer.now,
    rewriteList: (entries) => {
      const lines = entries.map((entry) => signDestination(entry, config, operator.privateKey));
      writeFileSync(list.path, lines.join(""));
      updateDestinations(signer);
    },
  };
  signer.rewriteList(changes.entries ?? [anEntry(alice), anEntry(bob), anEntry("operator")]);
  signer.now = NOON_MS;
  return signer;
}

/** The service's code for an issued address. */
export function macFor(index: number, merchantId: string, network = "nile"): Buffer {
  return macOf(integrityKey, "address", [
    network,
    index,
    keys.addressAt([0, index]),
    merchantId,
    `token ${index}`,
  ]);
}

/** A valid request for a signer of {@link aSigner}; by default a sweep of Alice's. */
export function aRequest(signer: TestSigner, changes: Partial<SigningRequest> = {}): SigningRequest {
  const {
    kind = "sweep",
    index = 7,
    merchantId = alice,
    recipient = "merchant",
    currency = "USDT",
  } = changes;
  const payee = recipient === "operator" ? "operator" : merchantId;
  const isToken = kind === "sweep" && currency !== "TRX";
  const isSweep = kind === "sweep";
  return {
    id: randomUUID(),
    kind,
    merchantId,
    index,
    address: changes.address ?? keys.addressAt([0, index]),
    checkoutToken: `token ${index}`,
    addressMac:
      changes.addressMac === undefined
        ? macFor(index, merchantId ?? "", signer.config.network)
        : changes.addressMac,
    currency: isSweep ? currency : null,
    recipient: isSweep ? recipient : null,
    destination: isSweep ? walletOf(`wallet of ${payee}`) : null,
    units: 12_500_000n,
    feeLimit: isToken ? 15_000_000n : 0n,
    ...aBlock(60_000_000n, signer.now - MINUTE_MS),
    expiresAtMs: signer.now + 5 * MINUTE_MS,
    ...changes,
  };
}

export function aBlock(blockNumber: bigint, blockTimeMs: number) {
  return { blockNumber, blockId: blockNumber.toString(16).padStart(16, "0") + "ab".repeat(24), blockTimeMs };
}

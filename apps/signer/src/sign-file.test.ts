import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addressToHex } from "@daric/tron/address";
import { recoverSigner } from "@daric/tron/signature";
import { decodeTransaction } from "@daric/tron/transaction";
import { afterAll, expect, it, vi } from "vitest";
import {
  aConfig,
  aFolder,
  alice,
  aRequest,
  aSigner,
  keys,
  removeFolders,
  walletOf,
  words,
} from "../test/builders.ts";
import { run } from "../test/terminal.ts";
import type { SigningRequest } from "./policy.ts";

/** Deriving a key from a passphrase takes a second on an idle machine, so the tests get more time. */
vi.setConfig({ testTimeout: 120_000 });

afterAll(removeFolders);

const PASSPHRASE = "correct horse battery staple";
const folder = aFolder();
const keyFile = join(folder, "operator.pem");
const { genesisId, xpubFingerprint } = aConfig();
const signer = await aSigner({ config: { isOffline: true } });
const clock = () => signer.now;

await run(
  [
    "init",
    "--home",
    join(folder, "home"),
    "--network",
    "nile",
    "--operator-key",
    keyFile,
    "--words-from-stdin",
    "--never-signed",
    "--offline",
  ],
  { input: words, answers: [PASSPHRASE, PASSPHRASE], clock },
);
await run(
  [
    "approve",
    "--home",
    join(folder, "home"),
    "--merchant",
    alice,
    "--name",
    "A shop",
    "--operator-key",
    keyFile,
    "--address",
    walletOf("wallet"),
  ],
  { answers: ["yes"] },
);

const request = (changes: Partial<SigningRequest> = {}) => ({
  ...aRequest(signer, changes),
  ...(changes.kind === undefined && { destination: walletOf("wallet") }),
});

/** The JSON of an export of these requests. */
function exportOf(requests: readonly object[], changes: object = {}): string {
  const file = { format: "daric sweep export 1", genesisId, xpubFingerprint, requests, ...changes };
  return JSON.stringify(file, (_, value) => {
    if (typeof value === "bigint") return String(value);
    return value?.type === "Buffer" ? Buffer.from(value.data).toString("hex") : value;
  });
}

async function sign(text: string, home = aHome()) {
  const file = join(home, "sweeps.json");
  writeFileSync(file, text);
  const said = await run(["sign", file, "--home", home], { answers: [PASSPHRASE], clock });
  return { ...said, home, file, signed: () => JSON.parse(readFileSync(`${file}.signed.json`, "utf8")) };
}

function aHome(): string {
  const home = join(aFolder(), "home");
  cpSync(join(folder, "home"), home, { recursive: true });
  return home;
}

it("an export is signed without a network: top-up and sweep together, each with its bytes and their meaning", async () => {
  const topUp = request({ kind: "top_up", units: 7_000_000n, currency: "USDT" });
  const sweep = request({ expiresAtMs: signer.now + 19 * 60 * 60_000 });
  const { error, output, signed, file } = await sign(exportOf([topUp, sweep]));
  expect(error).toBeUndefined();
  const own = keys.addressAt([0, 7]);
  expect(output).toBe(`signed: top_up of 7 TRX to ${own}, for index 7, ${own}
signed: sweep of 12.5 USDT to ${walletOf("wallet")}, for index 7, ${own}
Written to ${file}.signed.json
`);
  expect(statSync(`${file}.signed.json`).mode & 0o777).toBe(0o600);
  expect(signed()).toMatchObject({ format: "daric sweep signed 1", genesisId, xpubFingerprint });
  const signers = signed().results.map((result: { txId: string; transaction: string }) => {
    const { txId, signatures } = decodeTransaction(Buffer.from(result.transaction, "hex"));
    expect(txId).toBe(result.txId);
    return recoverSigner(txId, signatures[0] ?? "");
  });
  expect(signers).toEqual([keys.addressAt([1, 0]), own].map(addressToHex));
});

it("the same file gives the same bytes again", async () => {
  const text = exportOf([request()]);
  const first = await sign(text);
  const again = await sign(text, first.home);
  expect(again.error).toBeUndefined();
  expect(again.signed()).toEqual(first.signed());
});

it("refused requests are named, and the others are signed", async () => {
  const { error, output, signed } = await sign(
    exportOf([request({ kind: "delegate" }), request({ index: 8 })]),
  );
  expect(error).toBe("1 of 2 requests were refused");
  expect(output).toContain(": an offline signer signs sweeps and top-ups only\n");
  expect(signed().results.map((result: object) => "transaction" in result)).toEqual([false, true]);
});

it.each<[what: string, text: string, reason: string]>([
  ["of another network", exportOf([], { genesisId: "00".repeat(32) }), "is a foreign export"],
  ["of another seed", exportOf([], { xpubFingerprint: "00000000" }), "is a foreign export, of seed 00000000"],
  [
    "of another format",
    exportOf([], { format: "daric sweep signed 1" }),
    "is no file of `daric sweep export`",
  ],
  ["without requests", exportOf([], { requests: undefined }), "is no file of `daric sweep export`"],
  ["with null in place of a request", `{"format":"daric sweep export 1","requests":[null]}`, "is no file of"],
  ["with requests that have no id", exportOf([{}]), "is no file of `daric sweep export`"],
  ["that was cut", exportOf([request()]).slice(0, -30), "is truncated or no JSON object"],
  [
    "with an amount that is no number",
    exportOf([{ ...request(), units: "1.5" }]),
    "is truncated or no JSON object",
  ],
])("a file %s is refused in a line, and nothing of it is signed", async (_, text, reason) => {
  const { error, home, signed } = await sign(text);
  expect(error).toContain(reason);
  expect(error).not.toContain("\n");
  expect(signed).toThrow("ENOENT");
  expect(readFileSync(join(home, "journal.jsonl"), "utf8")).not.toContain("intent");
});

it("a field of another type is refused like any wrong value", async () => {
  const odd = {
    address: 7,
    units: null,
    blockTimeMs: {},
    expiresAtMs: [],
    blockId: null,
    currency: [],
    index: "x",
  };
  const requests = Object.entries(odd).map(([name, value]) => ({ ...request(), [name]: value }));
  const { error, signed } = await sign(exportOf(requests));
  expect(error).toBe("7 of 7 requests were refused");
  expect(signed().results.filter((result: object) => "transaction" in result)).toEqual([]);
});

it("a serving home signs no file", async () => {
  const home = aHome();
  const path = join(home, "config.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"isOffline": true', '"isOffline": false'));
  expect((await sign(exportOf([request()]), home)).error).toContain("config.json does not say isOffline");
});

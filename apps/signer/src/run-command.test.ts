import { generateKeyPairSync } from "node:crypto";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAccountKeys } from "@daric/tron/keys/account-keys";
import { createSeed } from "@daric/tron/seed";
import { afterAll, expect, it, vi } from "vitest";
import { aFolder, alice, removeFolders, walletOf, words } from "../test/builders.ts";
import { run, type TestTerminal } from "../test/terminal.ts";
import { readFile } from "./home.ts";
import { openSeed } from "./seed-file.ts";

/** Deriving a key from a passphrase takes a second on an idle machine, so the tests get more time. */
vi.setConfig({ testTimeout: 120_000 });

afterAll(removeFolders);

const PASSPHRASE = "correct horse battery staple";
const HOUR_MS = 60 * 60_000;
const nile = ["--network", "nile"];

const folder = aFolder();
const keyFile = join(folder, "operator.pem");
const made = await init(join(folder, "home"), [...nile, "--words-from-stdin", "--never-signed"], {
  input: words,
});
const offline = await init(
  join(folder, "offline"),
  [...nile, "--words-from-stdin", "--offline", "--never-signed"],
  {
    input: words,
  },
);

function init(home: string, args: readonly string[], given: TestTerminal = {}) {
  const answers = [PASSPHRASE, PASSPHRASE];
  return run(["init", "--home", home, "--operator-key", keyFile, ...args], { answers, ...given });
}

/** A copy of a home that a test may damage. */
function aHome(of = "home"): string {
  const home = join(aFolder(), "home");
  cpSync(join(folder, of), home, { recursive: true });
  return home;
}

function approve(home: string, args: readonly string[], answers = ["yes"]) {
  const shop = ["--merchant", alice, "--name", "A shop", "--operator-key", keyFile];
  return run(["approve", "--home", home, ...shop, ...args], { answers });
}

const serve = (home: string, variables: Record<string, string> = {}, answers = [PASSPHRASE]) =>
  run(["serve", "--home", home], {
    answers,
    variables: { SIGNER_DATABASE_URL: "postgres://nobody@127.0.0.1:1/x", ...variables },
  });

it("init seals a new seed, shows its words once, and prints the values for the service", async () => {
  const home = join(aFolder(), "home");
  const { output, error } = await init(home, [
    ...nile,
    "--account",
    "2",
    "--stake-address",
    walletOf("stake"),
  ]);
  expect(error).toBeUndefined();
  const said = JSON.parse(output);
  const keys = openAccountKeys(said.words, 2);
  expect(said).toMatchObject({
    xpub: keys.xpub,
    gasAddress: keys.addressAt([1, 0]),
    stakePermissionAddress: keys.addressAt([1, 1]),
  });
  expect(said.words.split(" ")).toHaveLength(24);
  expect(openSeed(readFileSync(join(home, "seed.enc"), "utf8"), PASSPHRASE)).toBe(said.words);
  expect(JSON.parse(readFileSync(join(home, "config.json"), "utf8"))).toMatchObject({
    network: "nile",
    account: 2,
    xpubFingerprint: said.xpubFingerprint,
    operatorPublicKey: said.operatorPublicKey,
    stakeAddress: walletOf("stake"),
  });
  for (const file of ["seed.enc", "config.json", "journal.jsonl"]) {
    expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
});

it("a home that every user of the machine can open is refused, until it is closed to them", async () => {
  const home = aHome();
  const verify = async () => (await run(["audit", "verify", "--home", home])).error;
  chmodSync(home, 0o705);
  expect(await verify()).toBe(`every user of this machine can open ${home}: chmod o= ${home}`);
  chmodSync(home, 0o700);
  expect(await verify()).toBeUndefined();
});

it("a device without an end is not read", () => {
  expect(() => readFile("/dev/zero")).toThrow("/dev/zero cannot be read (too large)");
});

it("init accepts the words of a seed, in any case and over several lines, and repeats them nowhere", async () => {
  const home = join(aFolder(), "home");
  const input = `${words.toUpperCase().replaceAll(" ", "\n")}\n`;
  const { output, error } = await init(home, [...nile, "--words-from-stdin"], { input });
  expect(error).toBeUndefined();
  expect(JSON.parse(output).words).toBeUndefined();
  expect(JSON.parse(output).xpub).toBe(openAccountKeys(words, 0).xpub);
  expect(existsSync(join(home, "journal.jsonl"))).toBe(false);
  expect((await serve(home)).error).toBe("journal.jsonl is missing: `daric-signer adopt` begins one");
});

it.each<[what: string, args: readonly string[], given: TestTerminal, reason: string]>([
  ["a short passphrase", nile, { answers: ["short", "short"] }, "the passphrase must have 12 characters"],
  ["two passphrases", nile, { answers: [PASSPHRASE, `${PASSPHRASE}!`] }, "the two passphrases differ"],
  [
    "words that form no seed",
    [...nile, "--words-from-stdin"],
    { input: `${words} zoo` },
    "not a valid BIP-39 mnemonic",
  ],
  ["no network", [], {}, "config.json: network must be one of mainnet, nile, shasta, devnet, private"],
  [
    "a chain of one's own without its genesis block",
    ["--network", "devnet"],
    {},
    "genesisId must be the id of block 0, 64 hex characters (--genesis-id of init)",
  ],
  [
    "a chain of one's own without its token",
    ["--network", "devnet", "--genesis-id", "ab".repeat(32)],
    {},
    "usdtContract must be an address (T…) (--usdt-contract of init)",
  ],
  ["an unknown network", ["--network", "ropsten"], {}, "config.json: network must be one of"],
  [
    "a chain of its own without its id",
    ["--network", "private"],
    {},
    "config.json: genesisId must be the id of block 0",
  ],
  [
    "a public network with a token",
    [...nile, "--usdt-contract", walletOf("x")],
    {},
    "must be left out: those of nile are compiled in",
  ],
  [
    "a malformed stake account",
    [...nile, "--stake-address", "T"],
    {},
    "config.json: stakeAddress must be an address",
  ],
  ["an account that is no number", [...nile, "--account", "x"], {}, "--account must be a whole number"],
  ["an unknown option", [...nile, "--seed", "x"], {}, "Unknown option '--seed'"],
])("init refuses %s in a line, and writes nothing", async (_, args, given, reason) => {
  const home = join(aFolder(), "home");
  const { error, output } = await init(home, args, given);
  expect(error).toContain(reason);
  expect(error).not.toContain("\n");
  expect(output).not.toContain("words");
  expect(existsSync(home)).toBe(false);
});

it("init overwrites no home, and accepts an operator's key only of its own kind", async () => {
  const home = aHome();
  expect((await init(home, nile)).error).toContain("EEXIST");
  const rsa = join(aFolder(), "key.pem");
  writeFileSync(
    rsa,
    "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKvpVrSIsO+fYDUmeDctpe3Q42LmHB6f\n-----END PUBLIC KEY-----\n",
  );
  expect((await init(join(aFolder(), "home"), [...nile, "--operator-key", rsa])).error).toBeDefined();
});

it("approve shows every field, and signs only after a yes", async () => {
  const home = aHome();
  const args = ["--address", walletOf("wallet"), "--fee-ceiling-usdt", "120.5"];
  const refused = await approve(home, args, ["y"]);
  expect(refused.error).toBe("nothing was signed");
  for (const field of ["nile", alice, "A shop", walletOf("wallet"), "120.5 USDT and 0 TRX a month"]) {
    expect(refused.output).toContain(field);
  }
  expect(existsSync(join(home, "destinations.jsonl"))).toBe(false);
  expect((await approve(home, args)).error).toBeUndefined();
  expect(refused.output).toContain("moved by     not confirmed");
  const second = ["--address", walletOf("second"), "--permissions", "own", "--additional"];
  const beside = await approve(home, second);
  expect(beside.output).toContain("moved by     its own key alone");
  expect(beside.output).toContain(`${walletOf("second")}, beside the earlier ones`);
  expect((await approve(home, ["--withdraw"])).error).toBeUndefined();
  const { output } = await run(["destinations", "--home", home]);
  expect(output).toBe(`1  ${alice}  A shop  ${walletOf("wallet")}  120.5 USDT and 0 TRX a month  not seen yet
2  ${alice}  A shop  ${walletOf("second")}  0 USDT and 0 TRX a month, additional, moved by own  not seen yet
3  ${alice}  A shop  withdrawn  0 USDT and 0 TRX a month  not seen yet
`);
});

it("approve takes a ceiling of each token of config.json, and shows it", async () => {
  const home = join(aFolder(), "home");
  const chain = ["--genesis-id", "ab".repeat(32), "--usdt-contract", walletOf("usdt")];
  const args = ["--network", "private", ...chain, "--words-from-stdin", "--never-signed"];
  expect((await init(home, args, { input: words })).error).toBeUndefined();
  const path = join(home, "config.json");
  const tokens = { USDX: { contract: walletOf("usdx"), decimals: 6 } };
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), tokens }));
  const wallet = ["--address", walletOf("wallet"), "--fee-ceiling-usdx", "7.25"];
  const { output, error } = await approve(home, wallet);
  expect(error).toBeUndefined();
  expect(output).toContain("fee ceiling  0 USDT and 0 TRX and 7.25 USDX a month\n");
  expect((await approve(home, [...wallet, "--fee-ceiling-usd", "1"])).error).toContain(
    "USD: config.json has USDT, USDX, TRX",
  );
});

it.each<[what: string, args: readonly string[], reason: string]>([
  ["neither an address nor a withdrawal", [], "give --address T… or --withdraw"],
  ["both", ["--address", walletOf("wallet"), "--withdraw"], "give --address T… or --withdraw"],
  ["a mistyped address", ["--address", "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdh"], "is no TRON address"],
  [
    "a merchant's name as its id",
    ["--withdraw", "--merchant", "Alice"],
    "merchant must be the id of a merchant, or operator",
  ],
  [
    "a ceiling of seven places",
    ["--withdraw", "--fee-ceiling-usdt", "0.1234567"],
    "a fee ceiling is an amount with up to 6 places",
  ],
  [
    "an additional withdrawal",
    ["--withdraw", "--additional"],
    "only a wallet of a merchant can be additional",
  ],
  ["a negative ceiling", ["--withdraw", "--fee-ceiling-trx=-1"], "a fee ceiling is an amount"],
  [
    "a ceiling of a coin that the signer cannot pay",
    ["--withdraw", "--fee-ceiling-usd=1"],
    "USD: config.json has USDT, TRX",
  ],
  ["a ceiling of no code", ["--withdraw", "--fee-ceiling-", "1"], "Unknown option '--fee-ceiling-'"],
  [
    "a key file that is missing",
    ["--withdraw", "--operator-key", "/nowhere"],
    "/nowhere cannot be read (ENOENT)",
  ],
])("approve refuses %s", async (_, args, reason) => {
  const home = aHome();
  expect((await approve(home, args)).error).toContain(reason);
  expect(existsSync(join(home, "destinations.jsonl"))).toBe(false);
});

it("a command that lacks the name of its file says so", async () => {
  const home = aHome();
  const approved = await run([
    "approve",
    "--home",
    home,
    "--merchant",
    alice,
    "--name",
    "A shop",
    "--withdraw",
  ]);
  expect(approved.error).toBe("name the file of the operator's key: --operator-key");
  const signed = await run(["sign", "--home", home]);
  expect(signed.error).toBe("name the file of `daric sweep export`: daric-signer sign FILE");
});

it("approve refuses another operator's key, and a public one", async () => {
  const home = aHome();
  const other = join(aFolder(), "other.pem");
  writeFileSync(other, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
  expect((await approve(home, ["--withdraw", "--operator-key", other])).error).toContain(
    "the operator's key did not sign it",
  );
  writeFileSync(other, "-----BEGIN PUBLIC KEY-----\n");
  expect((await approve(home, ["--withdraw", "--operator-key", other])).error).toContain(
    "a private key in PEM",
  );
});

it("serve names the reason that prevents signing, in a line", async () => {
  const spoiled = async (spoil: (home: string) => void, variables = {}, answers = [PASSPHRASE]) => {
    const home = aHome();
    spoil(home);
    const { error } = await serve(home, variables, answers);
    expect(error).not.toContain("\n");
    return error;
  };
  const nothing = () => undefined;
  const cut = (file: string) => (home: string) => {
    const text = readFileSync(join(home, file), "utf8");
    writeFileSync(join(home, file), text.slice(0, text.length / 2));
  };
  const change = (file: string, from: string, to: string) => (home: string) =>
    writeFileSync(join(home, file), readFileSync(join(home, file), "utf8").replace(from, to));
  expect(await spoiled(nothing, {}, ["a wrong passphrase"])).toBe(
    "the passphrase is wrong, or seed.enc was changed",
  );
  expect(await spoiled(cut("seed.enc"))).toBe("seed.enc is truncated or no JSON object");
  expect(await spoiled(cut("config.json"))).toBe("config.json is truncated or no JSON object");
  expect(await spoiled(change("journal.jsonl", "init", "adopt"))).toContain(
    "journal.jsonl line 1 was changed",
  );
  expect(await spoiled((home) => rmSync(join(home, "journal.jsonl")))).toContain("journal.jsonl is missing");
  expect(await spoiled((home) => rmSync(join(home, "seed.enc")))).toMatch(
    /seed\.enc cannot be read \(ENOENT\)$/,
  );
  expect(await spoiled(change("config.json", '"topUpSun"', '"topupSun"'))).toContain(
    "config.json: limits must be none but",
  );
  expect(await spoiled(change("config.json", '"20000000"', "20000000.5"))).toContain(
    "limits.topUpSun must be sun",
  );
  expect(await spoiled(nothing, { DARIC_INTEGRITY_KEY: "ab" })).toBe(
    "DARIC_INTEGRITY_KEY must be 64 hex characters",
  );
  expect(await spoiled(nothing, { SIGNER_DATABASE_URL_FILE: "/nowhere" })).toBe(
    "/nowhere cannot be read (ENOENT)",
  );
  const strangers = openAccountKeys(createSeed(), 0).xpub;
  expect(await spoiled(nothing, { ACCOUNT_XPUB: strangers })).toMatch(
    /^seed\.enc holds seed [0-9a-f]{8}, ACCOUNT_XPUB names seed [0-9a-f]{8}$/,
  );
  expect(await spoiled(change("config.json", JSON.parse(made.output).xpubFingerprint, "00000000"))).toMatch(
    /config\.json names seed 00000000$/,
  );
  expect((await run(["serve"], {})).error).toBe("SIGNER_DATABASE_URL is missing");
  expect((await serve(aHome("offline"))).error).toBe(
    "config.json says isOffline: `daric-signer sign FILE` signs",
  );
  expect(offline.error).toBeUndefined();
});

it("adopt begins a journal after every possible signature has expired: 22 minutes, offline 20 hours and 12 minutes", async () => {
  const home = aHome();
  expect((await run(["adopt", "--home", home])).error).toBe(
    "there is a journal already: adopt is not needed",
  );
  for (const [of, ms] of [
    ["home", 22 * 60_000],
    ["offline", 20 * HOUR_MS + 12 * 60_000],
  ] as const) {
    const lost = aHome(of);
    rmSync(join(lost, "journal.jsonl"));
    const slept: number[] = [];
    const { output, error } = await run(["adopt", "--home", lost], { slept, clock: () => 0 });
    expect([error, slept]).toEqual([undefined, [ms]]);
    expect(output).toContain(new Date(ms).toISOString());
    expect(readFileSync(join(lost, "journal.jsonl"), "utf8")).toContain('"kind":"started","by":"adopt"');
  }
});

it("adopt that is stopped early begins nothing", async () => {
  const home = aHome();
  rmSync(join(home, "journal.jsonl"));
  const { error } = await run(["adopt", "--home", home], { stopped: AbortSignal.abort() });
  expect(error).toContain("stopped before the time");
  expect(existsSync(join(home, "journal.jsonl"))).toBe(false);
});

it("audit verify proves the journal, and names a changed line", async () => {
  const home = aHome();
  expect((await run(["audit", "verify", "--home", home])).output).toMatch(
    /^journal\.jsonl is whole: 1 lines, the newest has the hash [0-9a-f]{64}\n$/,
  );
  const path = join(home, "journal.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace('"init"', '"adopt"'));
  expect((await run(["audit", "verify", "--home", home])).error).toContain(
    "journal.jsonl line 1 was changed",
  );
});

it("an unknown command lists the known ones", async () => {
  for (const args of [[], ["drain"], ["audit"], ["toString"], ["serve", "now"]]) {
    const { output, error } = await run(args);
    expect(error).toBe("name a command");
    expect(output).toContain("audit verify");
  }
  expect((await run(["--help"])).error).toBeUndefined();
  expect((await run(["pause"])).error).toBe("name the signer's home: --home or SIGNER_HOME");
});

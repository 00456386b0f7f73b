import { writeFileSync } from "node:fs";
import { must, parseObject, toJson } from "./config.ts";
import { type Options, readFile, type SignerTerminal } from "./home.ts";
import { updateDestinations, withSigner } from "./open-signer.ts";
import { formatUnits, oneLine, type SigningRequest } from "./policy.ts";
import { type Signer, signRequest } from "./sign-request.ts";

/** The output of `daric sweep export`: requests for this seed and network, with big numbers as text. */
type ExportFile = {
  readonly format: "daric sweep export 1";
  readonly genesisId: string;
  readonly xpubFingerprint: string;
  readonly requests: readonly SigningRequest[];
};

const whole = (text: unknown) => BigInt(String(text));
/** Parsers for the fields that JSON has as text, and for the numeric ones. */
const readers = new Map<string, (value: unknown) => unknown>([
  ...["units", "feeLimit", "blockNumber"].map((name) => [name, whole] as const),
  ...["index", "blockTimeMs", "expiresAtMs"].map((name) => [name, Number] as const),
  ["addressMac", (hex) => Buffer.from(String(hex), "hex")],
]);

/**
 * `daric-signer sign FILE`: signs the output of `daric sweep export` without a network, into a file for
 * `daric sweep import`. The same file gives the same bytes again.
 *
 * @throws SignerError for a file of another seed or network, and if a request was refused.
 */
export async function signFile(terminal: SignerTerminal, options: Options): Promise<void> {
  must(options.file !== undefined, "name the file of `daric sweep export`: daric-signer sign FILE");
  const path = String(options.file);
  const { genesisId, xpubFingerprint, requests } = parseExport(readFile(path), path);
  await withSigner(terminal, options, async (signer) => {
    const { config } = signer;
    must(config.isOffline, "config.json does not say isOffline: this signer serves");
    const isOwn = genesisId === config.genesisId && xpubFingerprint === config.xpubFingerprint;
    must(isOwn, `${path} is a foreign export, of seed ${xpubFingerprint} and network ${genesisId}`);
    updateDestinations(signer);
    const results = requests.map((request) => signEntry(signer, request));
    const out = String(options.out ?? `${path}.signed.json`);
    const { entryTimes } = signer.journal;
    const destinations = signer.list.entries.map((entry) => ({ ...entry, ...entryTimes.get(entry.counter) }));
    const signed = { format: "daric sweep signed 1", genesisId, xpubFingerprint, destinations, results };
    writeFileSync(out, `${toJson(signed, 2)}\n`, { mode: 0o600 });
    for (const { meaning, refusal } of results) {
      terminal.write(refusal === undefined ? `signed: ${meaning}\n` : `REFUSED: ${meaning}: ${refusal}\n`);
    }
    terminal.write(`Written to ${out}\n`);
    const refused = results.filter(({ refusal }) => refusal !== undefined).length;
    must(refused === 0, `${refused} of ${results.length} requests were refused`);
  });
}

/** The result of a request: the signed bytes, and their meaning in words. */
function signEntry(signer: Signer, request: SigningRequest) {
  const { id: requestId, kind, currency, units, index, address } = request;
  const outcome = signRequest(signer, request);
  const intent = signer.journal.intents.find((entry) => entry.requestId === requestId);
  const to = intent === undefined ? "" : ` to ${intent.to}`;
  const amount = `${formatUnits(units)} ${kind === "sweep" ? currency : "TRX"}`;
  const meaning = oneLine(`${kind} of ${amount}${to}, for index ${index}, ${address}`);
  if (outcome.refusal !== undefined) return { requestId, meaning, refusal: outcome.refusal };
  const { txId, transaction } = outcome;
  return { requestId, meaning, txId, transaction: Buffer.from(transaction).toString("hex") };
}

function parseExport(text: string, path: string): ExportFile {
  const read = (name: string, value: unknown) =>
    value === null ? null : (readers.get(name)?.(value) ?? value);
  const file = parseObject(text, path, read) as ExportFile;
  const isExport = file.format === "daric sweep export 1" && Array.isArray(file.requests);
  const isRight = isExport && file.requests.every((request) => typeof request?.id === "string");
  must(isRight, `${path} is no file of \`daric sweep export\``);
  return file;
}

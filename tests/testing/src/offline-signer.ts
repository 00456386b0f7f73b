import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandResult, run } from "../../../apps/signer/test/terminal.ts";
import { TEST_INTEGRITY_KEY } from "./context.ts";
import { scratchFolder } from "./scratch-folder.ts";

const WORDS = `${"abandon ".repeat(11)}about`;
const PASSPHRASE = "correct horse battery staple";

/** The home of an offline signer with the seed of the tests, made and approved as an operator does. */
export type OfflineSigner = {
  readonly folder: string;
  readonly home: string;
  readonly passphraseFile: string;
  /** adds an entry to the signer's list */
  approve(entry: { merchant: string; address: string }): Promise<void>;
  /** signs an export in this process; the signed file is `FILE.signed.json` */
  sign(file: string): Promise<CommandResult>;
};

/** Makes an offline signer in a new folder, which the caller removes. */
export async function anOfflineSigner(
  { genesisId, usdtContract }: { genesisId: string; usdtContract: string },
  entries: readonly { merchant: string; address: string }[],
): Promise<OfflineSigner> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-offline-"));
  const [home, key, passphraseFile] = ["signer", "operator.pem", "passphrase"].map((name) =>
    join(folder, name),
  );
  if (home === undefined || key === undefined || passphraseFile === undefined) throw new Error("no folder");
  await writeFile(passphraseFile, PASSPHRASE, { mode: 0o600 });
  const chain = ["--network", "devnet", "--genesis-id", genesisId, "--usdt-contract", usdtContract];
  const words = ["--words-from-stdin", "--never-signed", "--passphrase-file", passphraseFile];
  const place = ["--home", home, "--operator-key", key];
  await succeed(["init", "--offline", ...place, ...chain, ...words], { input: WORDS });
  const approve: OfflineSigner["approve"] = async ({ merchant, address }) => {
    const entry = ["--merchant", merchant, "--name", "A shop", "--address", address];
    const ceilings = ["--fee-ceiling-usdt", "1000000", "--fee-ceiling-trx", "1000000"];
    await succeed(["approve", ...place, ...entry, ...ceilings], { answers: ["yes"] });
  };
  for (const entry of entries) await approve(entry);
  return {
    folder,
    home,
    passphraseFile,
    approve,
    sign: (file) =>
      run(["sign", file, "--home", home, "--passphrase-file", passphraseFile], {
        variables: { DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY },
      }),
  };
}

async function succeed(...command: Parameters<typeof run>): Promise<void> {
  const { error } = await run(...command);
  if (error !== undefined) throw new Error(error);
}

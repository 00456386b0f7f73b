import { parseArgs } from "node:util";
import { adopt } from "./adopt.ts";
import { approve } from "./approve.ts";
import { must } from "./config.ts";
import type { Options, SignerTerminal } from "./home.ts";
import { init } from "./init.ts";
import { pauseSigner, resumeSigner, showDestinations, verifyAudit } from "./inspect.ts";
import { serveRequests } from "./serve.ts";
import { signFile } from "./sign-file.ts";

type Command = (terminal: SignerTerminal, options: Options) => Promise<void>;

const USAGE = `daric-signer: holds the seed, and signs what Daric's settlement asks for

  init          make a home: --network NAME --operator-key FILE (the operator's, or a new one)
                [--account N] [--words-from-stdin [--never-signed]] [--stake-address T…] [--offline]
                [--genesis-id ID --usdt-contract T…], of a chain of your own
  approve       add a destination: --merchant ID|operator --name NAME, --address T… or --withdraw,
                --operator-key FILE [--fee-ceiling-usdt AMOUNT] [--fee-ceiling-trx AMOUNT], a month of each coin
                [--additional], beside earlier wallets; [--permissions own|DIGEST], of settlement-account add
  destinations  list them, and when each acts
  serve         answer the requests in the database, SIGNER_DATABASE_URL
  sign FILE     sign an export without a network: [--out FILE]
  pause, resume sign nothing; go on
  audit verify  prove that no line of the journal was changed
  adopt         begin a journal, once nothing that was signed can land any more

Each takes --home FOLDER (or SIGNER_HOME); init, serve and sign also --passphrase-file FILE.
`;

const commands = new Map<string, Command>(
  Object.entries({
    init,
    approve,
    destinations: showDestinations,
    serve: serveRequests,
    sign: signFile,
    pause: pauseSigner,
    resume: resumeSigner,
    "audit verify": verifyAudit,
    adopt,
  }),
);

const texts =
  `home passphrase-file network account genesis-id usdt-contract stake-address operator-key merchant name address
  permissions out`.split(/\s+/);
const flags = "words-from-stdin never-signed offline withdraw additional help".split(" ");
const withType = (type: "string" | "boolean", names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type }]));

/** Runs one command. @throws Error with the fault in one line. */
export async function runCommand(args: readonly string[], terminal: SignerTerminal): Promise<void> {
  const ceilings = args.flatMap((arg) => /(?<=^--)fee-ceiling-[a-z0-9]{2,10}\b/.exec(arg) ?? []);
  const options = { ...withType("string", [...texts, ...ceilings]), ...withType("boolean", flags) };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file] = positionals[0] === "sign" ? positionals.splice(1, 1) : [];
  const command = commands.get(positionals.join(" "));
  if (command !== undefined && values.help !== true) return command(terminal, { ...values, file } as Options);
  terminal.write(USAGE);
  must(values.help === true, "name a command");
}

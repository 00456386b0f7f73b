import { parseArgs } from "node:util";
import { findDemoCharge, readDemo } from "./demo-api.ts";
import { payOrder } from "./pay.ts";
import { playHistory } from "./pay-history.ts";
import { DemoError } from "./settings.ts";

const USAGE = `Usage: npm run --silent demo -- COMMAND

Pays on the local chain of a running \`npm start\`: reads demo.json in DARIC_HOME (.daric).

  pay CHECKOUT_URL|ID  pay an order of the demo as a test case says, and follow the payment until it is final
    --case CASE        the payer's behaviour: exact (default), under, over, twice, late, wrong_coin or reorged
    --no-wait          send, and do not wait until it is final
  history              pay 60 orders of every kind, named history-01 to history-60; repeated, it goes on where it stopped
  --json               print JSON

A payment is final after 19 blocks, about a minute; this mines them at once:
curl -d '{"blocks": 20}' http://127.0.0.1:9090/devchain/mine
`;

/** Runs one command. Returns undefined for wrong usage. @throws DemoError when it fails. */
async function run(args: string[], env: NodeJS.ProcessEnv): Promise<object | undefined> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      case: { type: "string", default: "exact" },
      "no-wait": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const print = values.json ? () => {} : (line: string) => process.stdout.write(`${line}\n`);
  const [command, named, ...others] = positionals;
  const report = await (command === "pay" && named !== undefined && others.length === 0
    ? payOrder(
        await findDemoCharge(await readDemo(env), named),
        { case: values.case, isAwaited: !values["no-wait"] },
        print,
      )
    : command === "history" && named === undefined
      ? playHistory(await readDemo(env), print)
      : undefined);
  if (report !== undefined && values.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return report;
}

try {
  if ((await run(process.argv.slice(2), process.env)) === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  const text = error instanceof Error && !(error instanceof DemoError) && !isUsage ? error.stack : undefined;
  process.stderr.write(`${text ?? (error as Error).message}\n${isUsage ? `\n${USAGE}` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}

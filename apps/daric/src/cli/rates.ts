import { type Currency, currencies } from "@daric/domain/asset";
import { formatUsdPrice } from "@daric/domain/money";
import { checkRates } from "@daric/rates/check-rates";
import { faultOfSources } from "@daric/rates/context";
import type { RateVerdict, SourceVerdict } from "@daric/rates/rate-verdict";
import { systemClock } from "@daric/runtime/clock";
import { ConfigError } from "@daric/runtime/setting";
import type { Command } from "commander";
import { readSettings, variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** `daric rates check`: shows the current rates and their sources. */
export function addRatesCommands(program: Command, terminal: Terminal): void {
  program
    .command("rates")
    .description("the sources of prices in USD")
    .command("check")
    .description("query each source once; exit code 1 if an order priced in USD would be refused now")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { variables } = terminal;
      const verdicts = await withDatabase(variables, ["rates.sources"], ({ db, config }) => {
        const fault = faultOfSources(config.chain.network, config.rates.sources);
        if (fault !== undefined) throw new ConfigError(fault);
        const isDevnet = config.chain.network === "devnet";
        const nodeUrls = isDevnet ? readSettings(variables, ["chain.nodeUrls"]).chain.nodeUrls : [];
        return checkRates({
          db,
          clock: systemClock,
          config: { ...config, chain: { ...config.chain, nodeUrls } },
        });
      });
      const views = currencies.flatMap((currency) => viewsOf(currency, verdicts[currency]));
      const columns = ["currency", "source", "usd", "ageSeconds", "verdict", "why"];
      printTable(terminal, options, { views, columns });
      const refused = currencies.filter((currency) => verdicts[currency].rate === undefined);
      if (refused.length > 0)
        throw new CommandError(
          `orders priced in USD and paid in ${refused.join(" or ")} would be refused now ` +
            `(${variableOf("rates.sources")} names the sources)`,
        );
    });
}

/** The sources of a currency, and the resulting rate. */
function viewsOf(currency: Currency, { rate, refusal, sources }: RateVerdict): View[] {
  const sum: View =
    rate === undefined
      ? { currency, source: "all", usd: null, ageSeconds: null, verdict: "refused", why: refusal }
      : {
          currency,
          source: rate.source,
          usd: formatUsdPrice(rate.usdE8),
          ageSeconds: secondsOf(Math.max(0, Date.now() - rate.fetchedAt.getTime())),
          verdict: "quoted",
          why: null,
        };
  return [...sources.map((verdict) => viewOf(currency, verdict)), sum];
}

function viewOf(currency: Currency, { source, verdict, why, usdE8, ageMs }: SourceVerdict): View {
  return {
    currency,
    source,
    usd: usdE8 === undefined ? null : formatUsdPrice(usdE8),
    ageSeconds: ageMs === undefined ? null : secondsOf(ageMs),
    verdict,
    // The text of a source must not control the terminal.
    why: why?.replaceAll(/[^\x20-\x7e]/g, "?") ?? null,
  };
}

function secondsOf(ms: number): number {
  return Math.round(ms / 100) / 10;
}

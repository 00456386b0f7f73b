import { currencies } from "@daric/domain/asset";
import { formatPrice } from "@daric/domain/money";
import { checkRates } from "@daric/rates/check-rates";
import { faultOfSources } from "@daric/rates/context";
import type { RateVerdict, SourceVerdict } from "@daric/rates/rate-verdict";
import type { Priced } from "@daric/rates/sources";
import { systemClock } from "@daric/runtime/clock";
import { ConfigError } from "@daric/runtime/setting";
import type { Command } from "commander";
import { readSettings, variableOf } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable, type View } from "./print.ts";
import { addImportCommand } from "./rates-import.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** `daric rates check` shows the current rates and their sources; `import` brings rates of the past. */
export function addRatesCommands(program: Command, terminal: Terminal): void {
  const rates = program.command("rates").description("the sources of prices, and rates of the past");
  addImportCommand(rates, terminal);
  rates
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
      const views = [...verdicts].flatMap(([priced, verdict]) => viewsOf(priced, verdict));
      const columns = ["currency", "source", "price", "ageSeconds", "verdict", "why"];
      printTable(terminal, options, { views, columns });
      const refused = currencies.filter((currency) => verdicts.get(currency)?.rate === undefined);
      if (refused.length > 0)
        throw new CommandError(
          `orders priced in USD and paid in ${refused.join(" or ")} would be refused now ` +
            `(${variableOf("rates.sources")} names the sources)`,
        );
    });
}

/** The sources of a price, and the resulting rate: USD for a coin, and units of a currency for 1 USDT. */
function viewsOf(currency: Priced, { rate, refusal, sources }: RateVerdict): View[] {
  const sum: View =
    rate === undefined
      ? { currency, source: "all", price: null, ageSeconds: null, verdict: "refused", why: refusal }
      : {
          currency,
          source: rate.source,
          price: formatPrice(rate.priceE8),
          ageSeconds: secondsOf(Math.max(0, Date.now() - rate.fetchedAt.getTime())),
          verdict: "quoted",
          why: null,
        };
  return [...sources.map((verdict) => viewOf(currency, verdict)), sum];
}

function viewOf(currency: Priced, { source, verdict, why, priceE8, ageMs }: SourceVerdict): View {
  return {
    currency,
    source,
    price: priceE8 === undefined ? null : formatPrice(priceE8),
    ageSeconds: ageMs === undefined ? null : secondsOf(ageMs),
    verdict,
    // The text of a source must not control the terminal.
    why: why?.replaceAll(/[^\x20-\x7e]/g, "?") ?? null,
  };
}

function secondsOf(ms: number): number {
  return Math.round(ms / 100) / 10;
}

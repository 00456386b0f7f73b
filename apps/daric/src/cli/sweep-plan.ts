import { currencies } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { priceSweep } from "@daric/domain/sweep-price";
import type { PlanningContext } from "@daric/settlement/context";
import { getControl, type SettlementControl } from "@daric/settlement/control-store";
import type { DecidedSweep } from "@daric/settlement/plan/decide-batch";
import { boundsOf, makePlan, type SweepPlan } from "@daric/settlement/plan/make-plan";
import { sumUnplanned } from "@daric/settlement/plan/plan-store";
import { type LeftContents, sweepTerms, textOfLeft, textOfTerms } from "@daric/settlement/plan/small-sums";
import type { SweepTerms } from "@daric/settlement/plan/terms-store";
import type { Command } from "commander";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf, type View } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import { MAX_ADDRESSES, printAddresses } from "./sweep-addresses.ts";
import type { Terminal } from "./terminal.ts";
import { withPlanning } from "./with-planning.ts";

const MAX_PLANNED = 1_000;

/** `daric sweep plan`: the next sweeps with their prices, or every address with money. */
export function addPlanCommand(sweep: Command, terminal: Terminal): void {
  sweep
    .command("plan")
    .description("show what would be swept next, with its price; nothing is stored or sent")
    .option("--limit <n>", "the most addresses, largest contents first", wholeNumber(1, MAX_ADDRESSES), 200)
    .option("--all", "as with `daric sweep run --all`: everything that is worth more than its price")
    .option(
      "--addresses",
      "every address with money by the ledger, its path, and the price of moving it by hand; needs no signer and no wallet",
    )
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { limit: number; all?: true; addresses?: true }) => {
      const { limit } = options;
      if (options.addresses) return printAddresses(terminal, options);
      if (limit > MAX_PLANNED)
        throw new CommandError(`--limit is at most ${MAX_PLANNED} without --addresses, not ${limit}`);
      const { plan, left } = await withPlanning(terminal.variables, async (context, chain) => {
        const control = await getControl(context.db);
        const asked = options.all ? { ...control, sweepAllBefore: context.clock.now() } : control;
        const made = await makePlan(context, chain, { control: asked, limit });
        return { plan: made, left: await findLeft(context, { plan: made, control: asked }) };
      });
      printFound(terminal, options, {
        json: { sweeps: plan.decided.map((sweep) => viewOf(sweep, plan)), left: left.map(leftView) },
        text: () => `${textOf(plan)}${leftText(left)}`,
      });
    });
}

function viewOf({ sweep, facts, verdict }: DecidedSweep, { prices }: Pick<SweepPlan, "prices">): View {
  const { currency, wanted, merchantId, address, recipient, destination } = sweep;
  const burnt = priceSweep(facts, { currency, wanted, prices, resources: "burn" });
  return {
    merchantId,
    address,
    currency,
    amount: formatAmount(verdict.price.units),
    recipient,
    destination,
    resources: verdict.resources,
    priceTrx: formatAmount(verdict.price.price),
    burntTrx: formatAmount(burnt.price),
    decision: verdict.status === "PLANNED" ? "sweep" : verdict.status.toLowerCase(),
    reason: verdict.reason,
  };
}

/** The contents that the plan leaves out, by currency and reason, and what their sweeps would cost. */
async function findLeft(
  context: PlanningContext,
  { plan: { prices, rates }, control }: { plan: SweepPlan; control: SettlementControl },
): Promise<Left[]> {
  const views = await Promise.all(
    currencies.map(async (currency) => {
      const bounds = boundsOf(context, { currency, prices, rates, control });
      const terms = sweepTerms(context.config.settlement, currency, { prices, rates });
      const found = await sumUnplanned(context.db, { currency, bounds });
      return found.map((contents) => ({ currency, terms, ...contents }));
    }),
  );
  return views.flat();
}

type Left = LeftContents & { readonly terms: SweepTerms };

function leftView({ currency, units, oldestAt, reason, addresses, terms }: Left): View {
  const { price, paysFrom, oldPaysFrom } = terms;
  return {
    currency,
    amount: formatAmount(units),
    reason,
    addresses,
    since: oldestAt.toISOString(),
    sweepPriceTrx: trx(price),
    sweptFrom: paysFrom === undefined ? null : trx(paysFrom),
    oldSweptFrom: oldPaysFrom === undefined ? null : trx(oldPaysFrom),
  };
}

/** The left contents, and from which sum on a sweep pays where some are too small. */
function leftText(left: readonly Left[]): string {
  const small = left.filter(({ reason }) => reason === "uneconomic");
  return [
    ...left.map((contents) => textOfLeft(contents, contents.terms)),
    ...small.map(({ terms }) => textOfTerms(terms)),
  ]
    .map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}\n`)
    .join("");
}

function trx(sun: bigint): string {
  return formatAmount(amountFromUnits(sun));
}

function textOf(plan: SweepPlan): string {
  const views = plan.decided.map((sweep) => viewOf(sweep, plan));
  if (views.length === 0) return "No sweep is worth its price now.\n";
  const swept = plan.decided.filter(({ verdict }) => verdict.status === "PLANNED");
  const sum = (unitsOf: (sweep: DecidedSweep) => bigint) =>
    formatAmount(amountFromUnits(swept.reduce((all, sweep) => all + unitsOf(sweep), 0n)));
  const price = sum(({ verdict }) => verdict.price.price);
  const saved = sum((sweep) => {
    const { currency, wanted } = sweep.sweep;
    const burnt = priceSweep(sweep.facts, { currency, wanted, prices: plan.prices, resources: "burn" });
    return burnt.price - sweep.verdict.price.price;
  });
  const columns = [
    "address",
    "currency",
    "amount",
    "recipient",
    "priceTrx",
    "burntTrx",
    "decision",
    "reason",
  ];
  return `${tableOf(views, columns)}\n${swept.length} sweeps for ${price} TRX, which saves ${saved} TRX against burning.\n`;
}

import type { Command } from "commander";
import { currencies } from "../domain/asset.ts";
import { amountFromUnits, formatAmount } from "../domain/money.ts";
import { priceSweep } from "../domain/sweep-price.ts";
import type { PlanningContext } from "../settlement/context.ts";
import {
  getControl,
  pauseSettlement,
  requestPlan,
  resumeSettlement,
  type SettlementControl,
} from "../settlement/control-store.ts";
import type { DecidedSweep } from "../settlement/decide-batch.ts";
import { boundsOf, makePlan, type SweepPlan } from "../settlement/make-plan.ts";
import { countExports } from "../settlement/offline-store.ts";
import { sumUnplanned } from "../settlement/plan-store.ts";
import { findSignerState } from "../settlement/request-store.ts";
import {
  describeUnrated,
  type LeftContents,
  sweepTerms,
  textOfLeft,
  textOfTerms,
} from "../settlement/small-sums.ts";
import type { SweepTerms } from "../settlement/terms-store.ts";
import { countOpenSweeps, listHeldSweeps } from "../settlement/watch-store.ts";
import { auditCommand } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, printOne, tableOf, type View } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import { MAX_ADDRESSES, printAddresses } from "./sweep-addresses.ts";
import { addOfflineCommands } from "./sweep-offline.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase, withOwnersDatabase } from "./with-database.ts";
import { withPlanning } from "./with-planning.ts";

const MAX_PLANNED = 1_000;
const MAX_HELD = 50;

/** `daric sweep plan|run|status|pause|resume|export|import`: pays confirmed money out to the merchants' wallets. */
export function addSweepCommands(program: Command, terminal: Terminal): void {
  const sweep = program.command("sweep").description("send confirmed money to the merchants' wallets");
  addPlan(sweep, terminal);
  addRun(sweep, terminal);
  addStatus(sweep, terminal);
  addPause(sweep, terminal);
  addOfflineCommands(sweep, terminal);
}

function addPlan(sweep: Command, terminal: Terminal): void {
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
        json: { sweeps: plan.decided.map((one) => viewOf(one, plan)), left: left.map(leftView) },
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
  const views = plan.decided.map((one) => viewOf(one, plan));
  if (views.length === 0) return "No sweep is worth its price now.\n";
  const swept = plan.decided.filter(({ verdict }) => verdict.status === "PLANNED");
  const sum = (of: (one: DecidedSweep) => bigint) =>
    formatAmount(amountFromUnits(swept.reduce((all, one) => all + of(one), 0n)));
  const price = sum(({ verdict }) => verdict.price.price);
  const saved = sum((one) => {
    const { currency, wanted } = one.sweep;
    const burnt = priceSweep(one.facts, { currency, wanted, prices: plan.prices, resources: "burn" });
    return burnt.price - one.verdict.price.price;
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

function addRun(sweep: Command, terminal: Terminal): void {
  sweep
    .command("run")
    .description("have the settlement role plan now, instead of within half a minute")
    .option("--all", "sweep everything that is confirmed now and worth more than its price")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { all?: true }) => {
      const isAll = options.all === true;
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await requestPlan(db, { isAll });
        await auditCommand(db, { action: "sweep run", subject: "settlement", after: { isAll } });
      });
      const title = "The settlement role plans with its next step; `daric sweep status` follows it.";
      printOne(terminal, options, { title, view: { isAll } });
    });
}

function addStatus(sweep: Command, terminal: Terminal): void {
  sweep
    .command("status")
    .description("show the open sweeps, and why any wait or are frozen")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { counts, held, control, signer, exported, withoutRate } = await withDatabase(
        terminal.variables,
        [],
        async ({ db }) => ({
          counts: (await countOpenSweeps(db)).filter(({ count }) => count > 0),
          held: await listHeldSweeps(db, MAX_HELD),
          control: await getControl(db),
          signer: await findSignerState(db),
          exported: await countExports(db),
          withoutRate: await describeUnrated({ db }),
        }),
      );
      const views = held.map(({ units, updatedAt, ...row }) => ({
        ...row,
        amount: formatAmount(units),
        since: updatedAt.toISOString(),
      }));
      const paused =
        control.pauseReason === null
          ? null
          : `${control.pauseReason} (since ${control.pausedAt?.toISOString()})`;
      const seen = signer?.seenAt?.toISOString() ?? null;
      const away = exported && { sweeps: exported.count, until: exported.until.toISOString() };
      const json = {
        paused,
        signerSeenAt: seen,
        exported: away ?? null,
        withoutRate,
        open: counts,
        held: views,
      };
      printFound(terminal, options, {
        json,
        text: () =>
          [
            paused === null ? "" : `PAUSED: ${paused}\n`,
            seen === null ? "The signer has never run on this database.\n" : `Signer seen at ${seen}.\n`,
            away ? `${away.sweeps} sweeps are exported, and are dropped from ${away.until} on.\n` : "",
            ...withoutRate.map((line) => `${line}\n`),
            counts.length === 0 ? "No sweep is open.\n" : countsText(counts),
            views.length === 0
              ? ""
              : `\n${tableOf(views, ["status", "address", "currency", "amount", "since", "reason"])}`,
          ].join(""),
      });
    });
}

function countsText(counts: Awaited<ReturnType<typeof countOpenSweeps>>): string {
  const views = counts.map(({ status, count, oldestSeconds }) => ({
    status,
    count,
    oldestSeconds: Math.round(oldestSeconds),
  }));
  return tableOf(views, ["status", "count", "oldestSeconds"]);
}

function addPause(sweep: Command, terminal: Terminal): void {
  sweep
    .command("pause")
    .description("make no new transaction; sent ones are followed to their end")
    .requiredOption("--reason <text>", "why, for the next operator")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { reason: string }) => {
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await pauseSettlement(db, options.reason);
        await auditCommand(db, { action: "sweep pause", subject: "settlement", reason: options.reason });
      });
      printOne(terminal, options, { title: "Settlement is paused.", view: { reason: options.reason } });
    });
  sweep
    .command("resume")
    .description("go on after a pause")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await resumeSettlement(db);
        await auditCommand(db, { action: "sweep resume", subject: "settlement" });
      });
      printOne(terminal, options, { title: "Settlement goes on.", view: { isPaused: false } });
    });
}

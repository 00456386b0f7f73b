import { type AcceptedBlock, findOverrides } from "@daric/deposits/override-store";
import { answersNeeded } from "@daric/deposits/settings";
import { type BrokenFact, findFaults } from "@daric/postgres/facts";
import { systemClock } from "@daric/runtime/clock";
import { createLogger } from "@daric/runtime/logger";
import type { Command } from "commander";
import { findIdleHolders, type IdleHolder, textOfIdleHolder } from "../deployment/idle-holder-store.ts";
import { linesOf } from "../deployment/require-facts.ts";
import { auditDatabase } from "../doctor/audit.ts";
import { auditDeeply, type DeepReport, type Depth } from "../doctor/audit-deeply.ts";
import { countBroken, type Diagnosis, type Violation, withViolations } from "../doctor/invariant.ts";
import type { PartProgress } from "../doctor/part-by-part.ts";
import { adviceOn } from "./doctor-advice.ts";
import { CommandError, failureLines } from "./failure.ts";
import { findFoundMoney, textOfFoundMoney } from "./found-money.ts";
import { type OutputOptions, printFound, type View } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { withDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";

const MAX_SAMPLED = 1_000_000;
const MAX_SEED = 9_999_999_999;
/** The exit code of a run that could not audit. There are fewer invariants than that. */
const NOT_AUDITED = 100;

/** Reasons that are printed why something was not compared. */
const MAX_REASONS = 3;

/** The settings of `--deep`. */
const deepSettings = [...nodeSettings, "deposits.quorum"] as const;

type DoctorOptions = OutputOptions & { readonly deep?: true } & Partial<Depth>;

type Examination = {
  readonly network: string;
  /** the facts of the database that do not hold, of those that no audit depends on */
  readonly findings: readonly BrokenFact[];
  readonly idleHolders: readonly IdleHolder[];
  readonly accepted: readonly AcceptedBlock[];
  readonly foundMoney: readonly View[];
  readonly diagnoses: readonly Diagnosis[];
  readonly deep?: DeepReport & Depth;
};

/** `daric doctor`: checks the invariants of the database while the service runs. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command("doctor")
    .description("check the invariants of the database; the exit code is the number of broken ones")
    .option("--deep", "also compare random blocks and balances with the nodes")
    .option(
      "--blocks <number>",
      "with --deep: blocks that are fetched again from each node",
      wholeNumber(0, MAX_SAMPLED),
    )
    .option(
      "--addresses <number>",
      "with --deep: paid addresses whose balance is compared",
      wholeNumber(0, MAX_SAMPLED),
    )
    .option(
      "--seed <number>",
      "with --deep: draws the same blocks and addresses again",
      wholeNumber(0, MAX_SEED),
    )
    .option("--json", "print JSON")
    // A usage error exits with 2, which also means two broken invariants.
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommandError("the database was not audited", NOT_AUDITED);
    })
    .addHelpText(
      "after",
      `\nReads only, in one snapshot, as the role of the service. Exit code 0: all invariants hold; 1 to 13: the number\nof broken ones; ${NOT_AUDITED}: the database was not examined.`,
    )
    .action(async (options: DoctorOptions) => {
      const found = await runAudit(terminal, options).catch((error: unknown) => {
        throw new CommandError(failureLines(error).join("; "), NOT_AUDITED);
      });
      printFound(terminal, options, { json: jsonOf(found), text: () => textOf(found) });
      const broken = countBroken(found.diagnoses);
      if (broken > 0)
        throw new CommandError(`${broken} of ${found.diagnoses.length} invariants are broken`, broken);
    });
}

async function runAudit(terminal: Terminal, options: DoctorOptions): Promise<Examination> {
  const { blocks = 20, addresses = 20, seed = Math.floor(Date.now() / 1_000) } = options;
  const depth = { blocks, addresses, seed };
  return withDatabase(terminal.variables, options.deep ? deepSettings : [], async ({ db, url, config }) => {
    const { network } = config.chain;
    const findings = await findFaults(db, { url, purpose: "serving" });
    const idleHolders = await findIdleHolders(db);
    const accepted = await findOverrides(db, network);
    const foundMoney = await findFoundMoney(db, network);
    const print = throttleProgress(systemClock, (line) => terminal.writeError(`daric: ${line}\n`));
    const listen = ({ what, part, parts }: PartProgress) =>
      print(`auditing ${what}, part ${part} of ${parts}`);
    const diagnoses = await auditDatabase(db, network, { listen, integrityKey: config.integrity?.key });
    const found = { network, findings, idleHolders, accepted, foundMoney };
    if (!options.deep) return { ...found, diagnoses };
    const deep = await withNodes(config.chain, (chain) => {
      const needed = answersNeeded(config.deposits, chain.client.nodes.length);
      const log = createLogger({ level: "error", role: "doctor", destination: process.stderr });
      return auditDeeply({ db, log, clock: systemClock }, { ...chain, needed, listen }, depth);
    });
    return { ...found, diagnoses: withViolations(diagnoses, deep.violations), deep: { ...depth, ...deep } };
  });
}

function jsonOf({ network, diagnoses, deep, ...found }: Examination): object {
  return {
    network,
    broken: countBroken(diagnoses),
    ...found,
    invariants: diagnoses.map(({ invariant, name, violations }) => ({
      id: invariant,
      name,
      holds: violations.length === 0,
      breakages: violations.map(({ what, count, samples }) => ({ what, count, samples })),
    })),
    ...(deep && {
      deep: {
        seed: deep.seed,
        blocksCompared: deep.blocks,
        addressesCompared: deep.addresses,
        differences: deep.differences,
        unanswered: deep.unanswered,
      },
    }),
  };
}

function lineOf({ what, count, samples }: Violation): string {
  const more = count > samples.length ? `, and ${count - samples.length} more` : "";
  return `             ${count} × ${what}: ${samples.join(", ")}${more}`;
}

/** One line: a node that is down leaves out every block, balance and deposit, for few reasons. */
function textOfUnanswered(unanswered: readonly string[]): string[] {
  if (unanswered.length === 0) return [];
  const reasons = [...new Set(unanswered.map((line) => line.slice(line.indexOf(": ") + 2)))];
  const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more reasons` : "";
  const shown = reasons.slice(0, MAX_REASONS).join("; ");
  return [`  not compared: ${unanswered.length}, which --json lists: ${shown}${more}`];
}

function textOf({ diagnoses, deep, ...found }: Examination): string {
  const lines = diagnoses.flatMap(({ invariant, name, violations }) => [
    `${violations.length === 0 ? "holds " : "BROKEN"}  ${invariant.padEnd(3)}  ${name}`,
    ...violations.map(lineOf),
    ...(violations.length === 0 ? [] : [`             do: ${adviceOn[invariant]}`]),
  ]);
  const more = countBroken(diagnoses) === 0 ? [] : ['docs/running.md, "Audit the database", explains each.'];
  const compared = deep && [
    `Compared with the nodes: ${deep.blocks} blocks and ${deep.addresses} balances (--seed ${deep.seed}).`,
    ...deep.differences.map((line) => `  one node differs: ${line}`),
    ...textOfUnanswered(deep.unanswered),
  ];
  const idle = found.idleHolders.map((held) => `${textOfIdleHolder(held)}: ${held.holder}`);
  const doubts = [...linesOf(found.findings), ...idle].map((line) => `DOUBT   ${line}`);
  const note = found.accepted.map(
    ({ blockNumber, until, checks, acceptedBy, acceptedAt, reason }) =>
      `Accepted: block ${blockNumber} to ${until} with failed checks (${checks.join(", ")}), by ${acceptedBy} at ${acceptedAt.toISOString()}: ${reason}`,
  );
  return `The database of ${found.network}\n${[...doubts, ...lines, ...more, ...note, ...(compared ?? [])].join("\n")}\n${textOfFoundMoney(found.foundMoney)}`;
}

import { networkNames } from "@daric/chain/nodes/networks";
import { isUrl } from "@daric/domain/url";
import { openDatabase } from "@daric/postgres/database";
import type { Database } from "@daric/postgres/sql";
import type { Command } from "commander";
import { isRestoredFromServers, RESTORED } from "../deployment/distribute.ts";
import { requireFacts } from "../deployment/require-facts.ts";
import { findGap, findSchemaStatus } from "../deployment/schema-status.ts";
import { fingerprintOf, xpubCheck } from "../deployment/secret-checks.ts";
import { findDeployment } from "../deployment/store.ts";
import { auditDatabase, listScopes } from "../doctor/audit.ts";
import { countBroken, type Diagnosis } from "../doctor/invariant.ts";
import { readSettings, variableOf } from "../process/config.ts";
import { adviceOn } from "./doctor-advice.ts";
import { CommandError, failureLines } from "./failure.ts";
import { findFoundMoney, textOfFoundMoney } from "./found-money.ts";
import { type OutputOptions, printFound, textOfOne, type View } from "./print.ts";
import { findCopyAge, findNewestCharge, listKeyIndexes } from "./restore-store.ts";
import type { Terminal } from "./terminal.ts";

type CheckOptions = OutputOptions & { readonly databaseUrl?: string };

type Checked = {
  readonly view: View;
  readonly diagnoses: readonly Diagnosis[];
  readonly foundMoney: readonly View[];
};

/** `daric restore check`: audits a restored copy without starting anything on it. */
export function addRestoreCommands(program: Command, terminal: Terminal): void {
  program
    .command("restore")
    .description("a restored copy of the database")
    .command("check")
    .description(
      "audit a restored copy, and print how old it is and which addresses it knows; starts nothing",
    )
    .option(
      "--database-url <url>",
      "the copy, which is opened read-only; every user of this machine sees it, so rather set DATABASE_URL or DATABASE_URL_FILE",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nNeeds no other setting: no xpub, no secret and no node. Exit code: the number of broken invariants, as of `daric doctor`.",
    )
    .action(async (options: CheckOptions) => {
      const { view, diagnoses, foundMoney } = await onCopy(terminal, options, checkCopy);
      const broken = diagnoses.filter(({ violations }) => violations.length > 0);
      printFound(terminal, options, {
        json: {
          ...view,
          broken: broken.map(({ invariant, violations }) => ({ invariant, violations })),
          foundMoney,
        },
        text: () =>
          [
            textOfOne(broken.length === 0 ? "The copy is whole." : "The copy is BROKEN.", view),
            ...broken.flatMap(({ invariant, name, violations }) => [
              `BROKEN  ${invariant}  ${name}: ${violations.map(({ what, count }) => `${count} × ${what}`).join("; ")}\n`,
              `        do: ${adviceOn[invariant]}\n`,
            ]),
            textOfFoundMoney(foundMoney),
          ].join(""),
      });
      const count = countBroken(diagnoses);
      if (count > 0) throw new CommandError(`${count} of ${diagnoses.length} invariants are broken`, count);
    });
}

/** Every transaction of this connection refuses to write. */
async function onCopy(
  { variables }: Terminal,
  { databaseUrl: given }: CheckOptions,
  work: (db: Database) => Promise<Checked>,
): Promise<Checked> {
  if (given !== undefined && !isUrl(given))
    throw new CommandError("--database-url must be a URL such as postgres://user@host/daric_copy");
  const url = given ?? readSettings(variables, ["runtime.databaseUrl"]).runtime.databaseUrl;
  const readOnly = new URL(url);
  readOnly.searchParams.set("options", "-c default_transaction_read_only=on");
  const db = openDatabase({
    url: readOnly.href,
    max: 2,
    applicationName: "daric-restore-check",
    onError: () => {},
  });
  try {
    await requireFacts(db, { url, purpose: "reading" });
    const checked = await work(db);
    return { ...checked, view: { database: `${readOnly.host}${readOnly.pathname}`, ...checked.view } };
  } catch (error) {
    if (error instanceof CommandError || given === undefined) throw error;
    // The text of a failure names the variable of the URL, but here the URL is an option.
    const variable = variableOf("runtime.databaseUrl");
    const lines = failureLines(error, { [variable]: url }).join("; ");
    throw new CommandError(lines.replaceAll(variable, "--database-url"));
  } finally {
    await db.close();
  }
}

async function checkCopy(db: Database): Promise<Checked> {
  const { current, latest, isServed } = await findSchemaStatus(db);
  const gap = current === latest ? await findGap(db) : undefined;
  if (gap !== undefined) throw new CommandError(gap);
  if (!isServed)
    throw new CommandError(
      current === 0
        ? "there are no tables of Daric in this database: check the URL, and whether the restore ended without an error"
        : `the copy has schema version ${current} and this program ${latest}: check it with the program that wrote it, ${current < latest ? "or run `daric migrate` on the copy first" : "which is newer"}`,
    );
  if (await isRestoredFromServers(db)) throw new CommandError(RESTORED);
  const { network, environment } = await findDeployment(db);
  const known = networkNames.find((name) => name === network);
  if (known === undefined || environment === null)
    throw new CommandError("no service ever used this database: there is nothing to check");
  const diagnoses = await auditDatabase(db, known);
  return {
    view: {
      environment,
      network: known,
      schemaVersion: current,
      ...(await ageOf(db, known)),
      ...(await indexesOf(db)),
    },
    diagnoses,
    foundMoney: await findFoundMoney(db, known),
  };
}

async function ageOf(db: Database, network: string): Promise<View> {
  const { now, block, blockTime, watchedAt } = await findCopyAge(db, network);
  const charges: Date[] = [];
  for (const { merchantIds } of await listScopes(db, network))
    charges.push((await findNewestCharge(db, merchantIds)) ?? new Date(0));
  const newestCharge = charges.reduce((newest, at) => (at > newest ? at : newest), new Date(0));
  const newest = Math.max(newestCharge.getTime(), watchedAt?.getTime() ?? 0);
  return {
    ageSeconds: newest === 0 ? null : Math.round((now.getTime() - newest) / 1_000),
    newestCharge: newestCharge.getTime() === 0 ? null : newestCharge.toISOString(),
    newestHeartbeat: watchedAt?.toISOString() ?? null,
    readToBlock: block === null ? null : String(block),
    readToBlockTime: blockTime?.toISOString() ?? null,
  };
}

/** A deployment has one account key, unless its xpub was exchanged. */
async function indexesOf(db: Database): Promise<View> {
  const keys = await listKeyIndexes(db);
  const last = keys.at(-1);
  return {
    accountXpubs: keys.map(({ xpub }) => fingerprintOf(xpubCheck(xpub)) ?? "unknown"),
    highestAddressIndex:
      last?.highestIndex === undefined || last.highestIndex === null ? null : String(last.highestIndex),
    nextAddressIndex: last === undefined ? null : String(last.nextIndex),
  };
}

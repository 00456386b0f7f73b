import { resealPayers } from "@daric/charges/reseal-payers";
import { countPasswordsOfOtherPepper } from "@daric/console/people/person-store";
import { resealTotp } from "@daric/console/people/reseal-totp";
import { type ApiKey, readKeysOfOtherPepper } from "@daric/merchants/api-key-store";
import { listMerchants } from "@daric/merchants/store";
import { resealChannels } from "@daric/messages/reseal-channels";
import type { Queryable } from "@daric/postgres/sql";
import { pepperIdOf } from "@daric/runtime/mac";
import { resealWebhookSecrets } from "@daric/webhooks/endpoints/reseal-secrets";
import type { Command } from "commander";
import { replaceChecks } from "../deployment/claim-deployment.ts";
import type { SecretName } from "../deployment/secret-checks.ts";
import { readSettings, variableOf } from "../process/config.ts";
import { auditCommand } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

const NEEDED = [
  "merchants.keyPepper",
  "merchants.previousKeyPepper",
  "webhooks.masterKey",
  "webhooks.previousMasterKey",
] as const;

type Rotated = {
  readonly resealed: number;
  /** endpoints, people and orders whose secret opens under neither key */
  readonly lost: readonly string[];
  readonly keysOfPreviousPepper: readonly ApiKey[];
  readonly passwordsOfPreviousPepper: number;
};

/** `daric secret rotate`. */
export function addSecretCommands(program: Command, terminal: Terminal): void {
  program
    .command("secret")
    .description("replace the pepper and the master key")
    .command("rotate")
    .description("seal all secrets under the new master key, and bind the database to the new pepper and key")
    .option("--plan", "change nothing: list the API keys that need the previous pepper")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nFirst give every process the new value and the old one as DARIC_MASTER_KEY_PREVIOUS or DARIC_KEY_PEPPER_PREVIOUS, and\n" +
        "restart it. This command runs as the owner of the tables, beside the service, and may run again.",
    )
    .action(({ plan, ...options }: OutputOptions & { readonly plan?: true }) =>
      plan ? printPlan(terminal, options) : runRotate(terminal, options),
    );
}

async function printPlan(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { keys, passwords } = await withOwnersDatabase(
    terminal.variables,
    ["merchants.keyPepper"],
    ({ db, config }) => findOfPreviousPepper(db, config.merchants.keyPepper),
  );
  printFound(terminal, options, { json: keys.map(viewOfKey), text: () => textOfPepper(keys, passwords) });
}

async function runRotate(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { merchants, webhooks } = readSettings(terminal.variables, NEEDED);
  const names: SecretName[] = [];
  if (merchants.previousKeyPepper !== undefined) names.push("merchants.keyPepper");
  if (webhooks.previousMasterKey !== undefined) names.push("webhooks.masterKey");
  if (names.length === 0)
    throw new CommandError(
      `nothing is rotated: set ${variableOf("webhooks.previousMasterKey")} or ${variableOf("merchants.previousKeyPepper")} to the old value`,
    );
  const rotated = await withOwnersDatabase(terminal.variables, NEEDED, async ({ db, config }) => {
    const done = await rotate(db, config);
    await replaceChecks({ db, config }, names);
    const after = { secrets: names.map(variableOf), resealed: done.resealed };
    await auditCommand(db, { action: "secret rotate", subject: "deployment", after });
    return done;
  });
  printFound(terminal, options, {
    json: { ...rotated, keysOfPreviousPepper: rotated.keysOfPreviousPepper.map(viewOfKey) },
    text: () => textOf(rotated, names),
  });
  if (rotated.lost.length > 0)
    throw new CommandError(`these open under neither master key: ${rotated.lost.join(", ")}`);
}

type Secrets = {
  readonly merchants: { readonly keyPepper: string };
  readonly webhooks: { readonly masterKey: Buffer; readonly previousMasterKey: Buffer | undefined };
};

async function rotate(db: Queryable, { merchants, webhooks }: Secrets): Promise<Rotated> {
  const { keys, passwords } = await findOfPreviousPepper(db, merchants.keyPepper);
  const previousPepper = { keysOfPreviousPepper: keys, passwordsOfPreviousPepper: passwords };
  const { masterKey, previousMasterKey } = webhooks;
  if (previousMasterKey === undefined) return { resealed: 0, lost: [], ...previousPepper };
  const masterKeys = { masterKey, previousMasterKey };
  const parts = [await resealTotp(db, masterKeys), await resealChannels(db, masterKeys)];
  for (const { id } of await listMerchants(db))
    parts.push(await resealWebhookSecrets(db, masterKeys, id), await resealPayers(db, masterKeys, id));
  return {
    resealed: parts.reduce((sum, { resealed }) => sum + resealed, 0),
    lost: parts.flatMap(({ lost }) => lost),
    ...previousPepper,
  };
}

async function findOfPreviousPepper(
  db: Queryable,
  pepper: string,
): Promise<{ keys: ApiKey[]; passwords: number }> {
  const pepperId = pepperIdOf(pepper);
  const keys: ApiKey[] = [];
  for (const { id: merchantId } of await listMerchants(db))
    keys.push(...(await readKeysOfOtherPepper(db, { merchantId, pepperId })));
  return { keys, passwords: await countPasswordsOfOtherPepper(db, pepperId.toString("hex")) };
}

function viewOfKey({ id, merchantId, name, lastUsedAt }: ApiKey) {
  return { id, merchantId, name, lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

function textOf(
  { resealed, keysOfPreviousPepper, passwordsOfPreviousPepper }: Rotated,
  names: readonly SecretName[],
): string {
  const lines = [];
  if (names.includes("webhooks.masterKey"))
    lines.push(
      `${resealed} secrets were sealed under the new master key. Run this command once more, and remove ${variableOf("webhooks.previousMasterKey")} when it seals 0.\n`,
    );
  if (names.includes("merchants.keyPepper"))
    lines.push(textOfPepper(keysOfPreviousPepper, passwordsOfPreviousPepper));
  return lines.join("");
}

function textOfPepper(keys: readonly ApiKey[], passwords: number): string {
  const previous = variableOf("merchants.previousKeyPepper");
  if (keys.length === 0 && passwords === 0)
    return `No API key and no password needs the previous pepper: remove ${previous}.\n`;
  const parts = [`Remove ${previous} when nothing needs the previous pepper.\n`];
  if (keys.length > 0)
    parts.unshift(
      tableOf(keys.map(viewOfKey), ["id", "merchantId", "name", "lastUsedAt"]),
      "These API keys need it. Rotate each (`daric key rotate <id>`).\n",
    );
  if (passwords > 0)
    parts.unshift(
      `${passwords} people have a password under another pepper. A sign-in renews it; \`daric people reset\` sets a new one.\n`,
    );
  return parts.join("");
}

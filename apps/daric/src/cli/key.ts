import { apiScopes, type Environment } from "@daric/domain/api-scope";
import { keyPrefix } from "@daric/merchants/api-key";
import { type ApiKey, listApiKeys } from "@daric/merchants/api-key-store";
import { createApiKey, type IssuedApiKey } from "@daric/merchants/create-api-key";
import { getMerchant } from "@daric/merchants/get-merchant";
import { revokeApiKey } from "@daric/merchants/revoke-api-key";
import { rotateApiKey } from "@daric/merchants/rotate-api-key";
import type { apiKeyInput, rotationInput } from "@daric/merchants/schema";
import type { Queryable } from "@daric/postgres/sql";
import type { Command } from "commander";
import type { z } from "zod";
import { auditCommand } from "./audit-command.ts";
import { type OutputOptions, printOne, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

type MerchantOption = { readonly merchant: string };

const SHOWN_ONCE =
  "This is the only time the key is shown; the server keeps no copy. Put it into a safe place now.";

/** `daric key create|rotate|revoke|list`. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command("key").description("make and revoke API keys; no key can move money");
  const define = (name: string, description: string): Command =>
    keys.command(name).description(description).option("--json", "print JSON");

  define("create", "make a key and show it, once")
    .requiredOption("--merchant <id>", "id of the merchant")
    .option("--name <text>", "a note, up to 120 characters")
    .option(
      "--scopes <list>",
      `permissions, with commas between, of ${apiScopes.join(",")}, or all (default: all but refunds:write and refunds:address)`,
      (text: string) => (text === "all" ? [...apiScopes] : splitList(text)),
    )
    .option("--expires-in <duration>", "its lifetime, like 90d (default: until it is revoked)")
    .action(
      async ({ merchant, json, ...input }: OutputOptions & MerchantOption & z.input<typeof apiKeyInput>) => {
        const view = await withOwnersDatabase(
          terminal.variables,
          ["merchants.keyPepper"],
          async (context) => {
            const issued = await createApiKey(context, merchant, input);
            await auditKey(context.db, "key create", issued.row);
            return issuedView(issued, context.config.environment);
          },
        );
        printOne(terminal, { json }, { title: `API key created. ${SHOWN_ONCE}`, view });
      },
    );

  define("rotate", "make a key like this one, which then works for the overlap only")
    .argument("<id>", "id of the key, as in `daric key list`")
    .option("--overlap <duration>", "how long both keys work, at most 24h (default: 24h)")
    .action(async (id: string, { json, ...input }: OutputOptions & z.input<typeof rotationInput>) => {
      const view = await withOwnersDatabase(terminal.variables, ["merchants.keyPepper"], async (context) => {
        const { previous, ...issued } = await rotateApiKey(context, id, input);
        await auditKey(context.db, "key rotate", issued.row);
        const previousExpiresAt = previous.expiresAt?.toISOString() ?? null;
        return {
          ...issuedView(issued, context.config.environment),
          previousId: previous.id,
          previousExpiresAt,
        };
      });
      printOne(terminal, { json }, { title: `API key rotated. ${SHOWN_ONCE}`, view });
    });

  define("revoke", "end a key for good; every process refuses it within 5 s")
    .argument("<id>", "id of the key, as in `daric key list`")
    .action(async (id: string, options: OutputOptions) => {
      const view = await withOwnersDatabase(terminal.variables, [], async (context) => {
        const revoked = await revokeApiKey(context, id);
        await auditKey(context.db, "key revoke", revoked);
        return keyView(revoked, context.config.environment);
      });
      printOne(terminal, options, { title: "API key revoked. Every process refuses it within 5 s.", view });
    });
  addList(define, terminal);
}

function addList(define: (name: string, description: string) => Command, terminal: Terminal): void {
  define("list", "list a merchant's keys, newest first; never the keys themselves")
    .requiredOption("--merchant <id>", "id of the merchant")
    .action(async (options: OutputOptions & MerchantOption) => {
      const views = await withOwnersDatabase(terminal.variables, [], async (context) => {
        const { id } = await getMerchant(context, options.merchant);
        return (await listApiKeys(context.db, id)).map((key) => keyView(key, context.config.environment));
      });
      printTable(terminal, options, {
        views,
        columns: ["id", "prefix", "name", "expiresAt", "revokedAt", "lastUsedAt"],
      });
    });
}

function auditKey(db: Queryable, action: string, { id, merchantId, name, scopes }: ApiKey): Promise<void> {
  return auditCommand(db, { action, subject: `key ${id}`, after: { name, scopes }, merchantId });
}

function splitList(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

function issuedView({ key, row }: IssuedApiKey, environment: Environment): View {
  return { key, ...keyView(row, environment) };
}

function keyView(key: ApiKey, environment: Environment): View {
  return {
    id: key.id,
    merchantId: key.merchantId,
    environment,
    prefix: keyPrefix({ environment, lookupId: key.lookupId }),
    name: key.name,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

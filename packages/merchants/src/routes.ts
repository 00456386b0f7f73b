import { apiScopes, type Environment, environments } from "@daric/domain/api-scope";
import { currencies } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { feeModes } from "@daric/domain/order";
import type { ApiApp } from "@daric/http/api-app";
import { listed, listOf, ok, successOf } from "@daric/http/envelope";
import { pageFrom, pageQuery } from "@daric/http/pagination";
import { timestamp } from "@daric/http/validate";
import type { Database, Queryable } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import { z } from "zod";
import { getMerchant } from "./get-merchant.ts";
import { createLogoCache } from "./logo-cache.ts";
import { listSettlementAccounts, type SettlementAccount } from "./settlement-account-store.ts";

const LOGO_ID = /^[0-9a-f]{64}$/;
/** A new picture gets a new URL. */
const CACHE_FOR_EVER = "public, max-age=31536000, immutable";
const HEADERS = {
  "cache-control": CACHE_FOR_EVER,
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  // Shops show this URL, from the checkout's JSON, on their own pages.
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** GET /checkout/logos/:id serves logos publicly; an unknown id costs no query. */
export function logoRoute(
  app: ApiApp,
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
): void {
  const findLogo = createLogoCache(db, clock);
  const schema = { hide: true, params: z.object({ id: z.string() }) };
  app.get("/checkout/logos/:id", { schema, attachValidation: true }, async (request, reply) => {
    const { id } = request.params;
    const logo = LOGO_ID.test(id) ? await findLogo(id) : undefined;
    if (logo === undefined) throw new ApiError("NOT_FOUND");
    return reply.type(logo.mediaType).headers(HEADERS).send(logo.content);
  });
}

const accountRow = z
  .object({
    merchantId: z.string().meta({ format: "uuid" }),
    name: z.string(),
    environment: z.enum(environments),
    network: z.string(),
    scopes: z.array(z.enum(apiScopes)),
    feeMode: z.enum(feeModes),
    currencies: z.array(z.enum(currencies)),
  })
  .meta({ id: "Account", description: "The merchant of a key, and the rights of the key." });

type AccountContext = {
  readonly db: Database;
  readonly config: { readonly environment: Environment; readonly chain: { readonly network: string } };
};

/** The routes of a merchant's own account and of its wallets. */
export function merchantRoutes(app: ApiApp, context: AccountContext): void {
  accountRoute(app, context);
  settlementAccountRoutes(app, context);
}

/** GET /v1/account, for any key: a program checks with it whether its key is the right one. */
function accountRoute(app: ApiApp, { db, config }: AccountContext): void {
  app.get(
    "/v1/account",
    {
      config: { scope: "account:read", isForAnyKey: true },
      schema: {
        operationId: "retrieveAccount",
        summary: "See whose key this is",
        description: "The merchant, the environment and the network of the key, and what it may do.",
        tags: ["account"],
        response: { 200: successOf(accountRow) },
      },
    },
    async ({ caller: { merchantId, scopes } }) => {
      const { name, feeMode } = await getMerchant({ db: db.forTenant(merchantId) }, merchantId);
      return ok({
        ...{ merchantId, name, feeMode, currencies: [...currencies] },
        ...{ environment: config.environment, network: config.chain.network },
        scopes: apiScopes.filter((scope) => scopes.includes(scope)),
      });
    },
  );
}

const settlementAccountRow = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    chain: z.literal("tron"),
    address: z.string().meta({ pattern: "^T[1-9A-HJ-NP-Za-km-z]{33}$" }),
    label: z.string().nullable(),
    status: z.enum(["active", "disabled"]),
    is_default: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SettlementAccount", description: "A wallet of yours that your money goes to." });

/** GET /v1/settlement-accounts. The operator adds and disables accounts; no key can. */
function settlementAccountRoutes(app: ApiApp, { db }: { readonly db: Database }): void {
  app.get(
    "/v1/settlement-accounts",
    {
      config: { scope: "settlements:read" },
      schema: {
        operationId: "listSettlementAccounts",
        summary: "List your settlement accounts",
        description:
          "The default first, then newest first. Your operator adds, disables and orders them; no API key can.",
        tags: ["settlement"],
        querystring: pageQuery,
        response: { 200: listOf(settlementAccountRow) },
      },
    },
    async ({ caller: { merchantId }, query: { page, limit } }) => {
      const accounts = await listSettlementAccounts(db.forTenant(merchantId), merchantId);
      const { offset } = pageFrom({ page, limit });
      const rows = accounts.slice(offset, offset + limit).map(toSettlementAccountRow);
      return listed(rows, { page, limit, total: accounts.length });
    },
  );
}

function toSettlementAccountRow(account: SettlementAccount): z.input<typeof settlementAccountRow> {
  return {
    id: account.id,
    chain: account.chain,
    address: account.address,
    label: account.label,
    status: account.status,
    is_default: account.isDefault,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

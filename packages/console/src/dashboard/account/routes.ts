import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf, ok, personErrorEnvelope, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { createRateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { callerOfSession } from "@daric/http/session";
import { idParams } from "@daric/http/validate";
import { getMerchant } from "@daric/merchants/get-merchant";
import type { Merchant } from "@daric/merchants/store";
import { isMailConfigured, type MailContext } from "@daric/messages/announce";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { actorOf } from "../../people/schema.ts";
import { type AskingContext, askSupportEmail } from "./ask-support-email.ts";
import {
  type Change,
  type Context,
  changeLogo,
  changeMerchantSettings,
  requestWallet,
  type WalletChain,
  withdrawWallet,
} from "./change-account.ts";
import {
  booksBody,
  type EmbedScript,
  LOGO_BODY_BYTES,
  logoBody,
  settingsBody,
  settingsRow,
  toSettingsRow,
  toWalletRequestRow,
  walletRequestBody,
  walletRequestRow,
} from "./schema.ts";
import { listWalletRequests } from "./wallet-request-store.ts";

const read = { scope: "account:read" } as const;
const writesSettings = { scope: "settings:write" } as const;
const writesWallets = { scope: "wallets:write", needsProof: true } as const;
const MAX_WALLETS = 100;
/** Mails to support addresses, counted by this process: one in a quarter of an hour for an address, five a day for a merchant. */
const [QUARTER_SECONDS, DAY_SECONDS, MAILS_A_DAY] = [900, 86_400, 5];
const unconfirmed = {
  409: refusal(
    "WALLET_NOT_CONFIRMED: other keys have permissions on the wallet; `details` names them.",
    personErrorEnvelope,
  ),
};
const stale = { 409: refusal("CHANGED_MEANWHILE: read it again, and keep what was typed.") };

/** The script for the pages of shops. */
type ForShops = MailContext & { readonly embedScript: EmbedScript };

/** Settings, logo and wallet requests of a merchant. */
export function accountRoutes(app: ApiApp, context: Context & WalletChain & ForShops & AskingContext): void {
  settingsRoutes(app, context);
  booksRoute(app, context);
  supportEmailRoute(app, context);
  logoRoute(app, context);
  listWalletsRoute(app, context);
  walletRoutes(app, context);
}

/** The input of a request with its person and merchant. */
function changeOf<T>(request: FastifyRequest, input: T): Change<T> {
  return { actor: actorOf(request), merchantId: callerOfSession(request).merchantId, input };
}

function settingsRoutes(app: ApiApp, context: Context & ForShops): void {
  const answer = (merchant: Merchant) => ok(rowOf(context, merchant));
  app.get(
    "/dashboard/v1/settings",
    {
      // Forms of new orders need them.
      config: { scope: "charges:read", narrows: true },
      schema: {
        operationId: "retrieveSettings",
        summary: "See the settings of a merchant",
        tags: ["settings"],
        response: { 200: successOf(settingsRow) },
      },
    },
    async (request) => answer(await getMerchant(context, callerOfSession(request).merchantId)),
  );
  app.patch(
    "/dashboard/v1/settings",
    {
      config: writesSettings,
      schema: {
        operationId: "updateSettings",
        summary: "Change settings",
        description: "Values are texts, as the command line takes them. Orders that exist keep their terms.",
        tags: ["settings"],
        body: settingsBody,
        response: { 200: successOf(settingsRow), ...stale },
      },
    },
    async (request) => {
      // The tolerance decides which payment is enough, and the origins which sites may frame the payment page.
      const { underpaymentTolerance, embedOrigin } = request.body;
      const needsProof = underpaymentTolerance !== undefined || embedOrigin !== undefined;
      if (needsProof && !request.session.isProven) throw new ApiError("REAUTHENTICATION_REQUIRED");
      return answer(await changeMerchantSettings(context, changeOf(request, request.body)));
    },
  );
}

/** The accountant changes these without a right to the other settings. */
function booksRoute(app: ApiApp, context: Context & ForShops): void {
  app.patch(
    "/dashboard/v1/settings/books",
    {
      config: { scope: "books:write" },
      schema: {
        operationId: "updateBooks",
        summary: "Change the currency of the books and the codes of accounts",
        description:
          "Values are texts, as the command line takes them. `accountCode` gives all codes; an account that it leaves out has its default.",
        tags: ["settings"],
        body: booksBody,
        response: { 200: successOf(settingsRow), ...stale },
      },
    },
    async (request) =>
      ok(rowOf(context, await changeMerchantSettings(context, changeOf(request, request.body)))),
  );
}

function rowOf(context: ForShops, merchant: Merchant) {
  return toSettingsRow(merchant, {
    embedScript: context.embedScript,
    isMailConfigured: isMailConfigured(context),
  });
}

function supportEmailRoute(app: ApiApp, context: AskingContext): void {
  const { clock } = context;
  const addresses = createRateLimiter({ perSecond: 1 / QUARTER_SECONDS, burst: 1, clock });
  const merchants = createRateLimiter({ perSecond: MAILS_A_DAY / DAY_SECONDS, burst: MAILS_A_DAY, clock });
  app.post(
    "/dashboard/v1/settings/support-email/confirm",
    {
      config: writesSettings,
      schema: {
        operationId: "askSupportEmail",
        summary: "Mail a link that confirms the support address",
        description:
          "The link holds for 24 hours. Its reader confirms the address, and answers of payers to mails go there. One mail in 15 minutes for an address, 5 a day for a merchant.",
        tags: ["settings"],
        response: {
          200: successOf(z.null()),
          404: refusal("NOT_FOUND: this service has no mail server."),
          429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
        },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const allow = (address: string) => {
        takeOrRefuse(addresses, address.toLowerCase());
        takeOrRefuse(merchants, merchantId);
      };
      await askSupportEmail(context, { actor: actorOf(request), merchantId, allow });
      return ok(null);
    },
  );
}

function logoRoute(app: ApiApp, context: Context & ForShops): void {
  app.put(
    "/dashboard/v1/settings/logo",
    {
      config: writesSettings,
      bodyLimit: LOGO_BODY_BYTES,
      schema: {
        operationId: "updateLogo",
        summary: "Set or remove the logo",
        description:
          "PNG, JPEG or WebP of at most 100 kB, in base64 or fetched once from `url`. Neither removes it.",
        tags: ["settings"],
        body: logoBody,
        response: { 200: successOf(settingsRow), ...stale },
      },
    },
    async (request) => {
      const { updatedAt, url, content } = request.body;
      const logoFile = content === undefined ? undefined : Buffer.from(content, "base64");
      const change = changeOf(request, { updatedAt, logoUrl: url, logoFile });
      return ok(rowOf(context, await changeLogo(context, change)));
    },
  );
}

function listWalletsRoute(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/wallet-requests",
    {
      config: read,
      schema: {
        operationId: "listWalletRequests",
        summary: "List the wallets that were asked for",
        description: "Newest first, at most 100; the export has all.",
        tags: ["wallets"],
        response: { 200: successOf(z.array(walletRequestRow)) },
      },
    },
    async (request) => {
      const { merchantId } = callerOfSession(request);
      const newest = await listWalletRequests(db.forTenant(merchantId), merchantId, { limit: MAX_WALLETS });
      return ok(newest.map(toWalletRequestRow));
    },
  );
}

function walletRoutes(app: ApiApp, context: Context & WalletChain): void {
  app.post(
    "/dashboard/v1/wallet-requests",
    {
      config: writesWallets,
      schema: {
        operationId: "requestWallet",
        summary: "Ask for a wallet to settle to",
        description:
          "The nodes say which keys may move it. It counts once the operator ran `command` and `approve_command`.",
        tags: ["wallets"],
        body: walletRequestBody,
        response: { 201: createdOf(walletRequestRow), ...unconfirmed },
      },
    },
    async (request, reply) => {
      const wanted = await requestWallet(context, changeOf(request, request.body));
      return reply.code(201).send(created(toWalletRequestRow(wanted)));
    },
  );
  app.delete(
    "/dashboard/v1/wallet-requests/:id",
    {
      config: writesWallets,
      schema: {
        operationId: "withdrawWalletRequest",
        summary: "Take back a request for a wallet",
        tags: ["wallets"],
        params: idParams("walletRequest"),
        response: { 200: successOf(walletRequestRow) },
      },
    },
    async (request) =>
      ok(toWalletRequestRow(await withdrawWallet(context, changeOf(request, request.params.id)))),
  );
}

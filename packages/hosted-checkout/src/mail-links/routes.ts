import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { tokenParams } from "@daric/http/validate";
import { confirmSupportEmail, readSupportEmailToken } from "@daric/merchants/confirm-support-email";
import type { Clock } from "@daric/runtime/clock";
import { forMerchant } from "@daric/runtime/context";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { merchantLanguages } from "../messages/choose-language.ts";
import type { Messages } from "../messages/en.ts";
import { loadAssets, sendPage } from "../page/response.ts";
import { type MailQuestion, questionPage } from "./question-page.ts";
import { findMailingShop, type MailingShop } from "./shop-store.ts";
import { stopMails } from "./stop-mails.ts";
import { readUnsubscribeToken } from "./unsubscribe-token.ts";

type MailLinkContext = Parameters<typeof stopMails>[0] & {
  readonly clock: Pick<Clock, "now">;
  readonly config: { readonly integrity: { readonly key: Buffer } };
};

const query = z.object({ lang: z.string().optional().catch(undefined) });
const schema = { hide: true, params: tokenParams, querystring: query };
const GONE = 410;

/**
 * The pages behind links in mails: GET shows a question, and POST acts. The token is the capability, and says all; a made-up one
 * costs no query. A POST may have any body: that of the page's button, or of a mail program's one click (RFC 8058).
 */
export function mailLinkRoutes(app: ApiApp, context: MailLinkContext): void {
  const show = createShow(context);
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser<string>(/^/, { parseAs: "string" }, (_request, _body, done) => done(null, {}));
    unsubscribeRoutes(pages, context, show);
    confirmRoutes(pages, context, show);
  });
}

/** Shows what `ask` says to the reader of a mail of this merchant. */
type Show = (
  reply: FastifyReply,
  merchantId: MerchantId,
  ask: (texts: Messages["email"], shop: MailingShop) => MailQuestion,
) => Promise<FastifyReply>;

function createShow(context: MailLinkContext): Show {
  const assets = loadAssets();
  const languagesOf = merchantLanguages();
  return async (reply, merchantId, ask) => {
    const shop = await findMailingShop(context.db.forTenant(merchantId), merchantId);
    if (shop === undefined) throw new ApiError("NOT_FOUND");
    const { of, offered: languages } = languagesOf(shop.languages);
    const language = of(reply.request);
    const question = ask(language.messages.email, shop);
    return sendPage(reply, language, questionPage(question, { shop, language, languages }, assets));
  };
}

function unsubscribeRoutes(app: ApiApp, context: MailLinkContext, show: Show): void {
  const orderOf = (token: string) => {
    const order = readUnsubscribeToken(context, token);
    if (order === undefined) throw new ApiError("NOT_FOUND");
    return order;
  };
  app.get("/u/:token", { schema }, async ({ params }, reply) =>
    show(reply, orderOf(params.token).merchantId, ({ stop }, { name: shop }) => ({
      title: stop.title({ shop }),
      text: stop.text({ shop }),
      button: stop.button,
    })),
  );
  app.post("/u/:token", { schema }, async ({ params }, reply) => {
    const { merchantId, chargeId } = orderOf(params.token);
    await stopMails(forMerchant(context, merchantId), { merchantId, id: idOf("charge", chargeId) });
    return show(reply, merchantId, ({ stop }, { name: shop }) => ({ title: stop.done({ shop }) }));
  });
}

function confirmRoutes(app: ApiApp, context: MailLinkContext, show: Show): void {
  const { key } = context.config.integrity;
  const addressOf = (token: string) => {
    const found = readSupportEmailToken(key, token);
    if (found === undefined) throw new ApiError("NOT_FOUND");
    return found;
  };
  const over = ({ confirm }: Messages["email"]) => ({ title: confirm.over });
  app.get("/confirm/:token", { schema }, async ({ params }, reply) => {
    const { merchantId, address, expiresAt } = addressOf(params.token);
    return show(reply, merchantId, (texts, { name: shop, supportEmail }) => {
      if (expiresAt <= context.clock.now() || supportEmail !== address) return over(texts);
      const { title, text, button } = texts.confirm;
      return { title: title({ shop }), text: text({ address, shop }), button };
    });
  });
  app.post("/confirm/:token", { schema }, async ({ params }, reply) => {
    const asked = addressOf(params.token);
    const { merchantId, address } = asked;
    if (!(await confirmSupportEmail(context, asked))) return show(reply.code(GONE), merchantId, over);
    return show(reply, merchantId, ({ confirm }) => ({ title: confirm.done({ address }) }));
  });
}

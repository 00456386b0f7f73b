import type { TypedEmail } from "@daric/charges/keep-customer-email";
import { isEmail } from "@daric/domain/email";
import type { ApiApp } from "@daric/http/api-app";
import { refuseForeignPage } from "@daric/http/own-page";
import { tokenParams } from "@daric/http/validate";
import { z } from "zod";
import { merchantLanguages } from "../messages/choose-language.ts";
import { offersReceipt } from "../page/receipt.ts";
import { type CheckoutHook, type FindByToken, takeForms } from "../page/routes.ts";
import type { PageInput, ReceiptAnswer } from "../page/view.ts";

type FoundCheckout = Pick<PageInput, "charge" | "record" | "projection">;

type Parts = {
  /** within the budget of a token for addresses */
  readonly findForEmail: FindByToken<FoundCheckout>;
  readonly keepEmail: (checkout: FoundCheckout, typed: TypedEmail) => Promise<void>;
  readonly refuseJunk: CheckoutHook;
  readonly publicBaseUrl: string | undefined;
};

const form = z.object({ email: z.string().catch("") });
const query = z.object({
  lang: z.string().optional().catch(undefined),
  embed: z.string().optional().catch(undefined),
});

/** POST /c/:token/email: the payer's address for the receipt. The answer leads back to the page, and never tells an address. */
export function receiptRoutes(app: ApiApp, parts: Parts): void {
  const { findForEmail, keepEmail, refuseJunk, publicBaseUrl } = parts;
  const languagesOf = merchantLanguages();
  const schema = { hide: true, params: tokenParams, querystring: query, body: form };
  takeForms(app, (forms) => {
    forms.post("/c/:token/email", { onRequest: refuseJunk, schema }, async (request, reply) => {
      const { token } = request.params;
      refuseForeignPage(request, publicBaseUrl);
      const checkout = await findForEmail(request, token);
      const email = request.body.email.trim();
      const { tag: language } = languagesOf(checkout.record.merchant.languages).of(request);
      const receipt = answerTo(email);
      if (receipt === "thanks" && offersReceipt(checkout)) await keepEmail(checkout, { email, language });
      const { lang = language, embed } = request.query;
      const kept = new URLSearchParams({ lang, ...(embed !== undefined && { embed }), receipt });
      return reply.redirect(`../${token}?${kept}#receipt`, 303);
    });
  });
}

function answerTo(email: string): Exclude<ReceiptAnswer, "asks"> {
  if (email === "") return "missing";
  return isEmail(email) ? "thanks" : "wrong";
}

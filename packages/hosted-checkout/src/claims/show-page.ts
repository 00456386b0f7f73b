import type { FastifyReply } from "fastify";
import { createOperatorOf } from "../find-operator.ts";
import { merchantLanguages } from "../messages/choose-language.ts";
import { loadAssets, sendPage } from "../page/response.ts";
import { networkLabel } from "../page/view.ts";
import { claimPage } from "./claim-page.ts";
import type { ClaimingContext } from "./parts.ts";
import type { ShownClaim } from "./schema.ts";
import type { FormAnswer } from "./submit-form.ts";

/** Sends the page of a claim, in the language of the request. */
export function createShowPage(context: ClaimingContext) {
  const assets = loadAssets();
  const languagesOf = merchantLanguages();
  const operatorOf = createOperatorOf(context);
  return async (reply: FastifyReply, claim: ShownClaim, answer: FormAnswer = {}): Promise<FastifyReply> => {
    const { of, offered: languages } = languagesOf(claim.merchant.languages);
    const language = of(reply.request);
    const page = claimPage(
      {
        ...{ typed: "", fault: undefined, checked: undefined, isTooLate: false, ...answer },
        ...{ claim, language, languages },
        network: networkLabel(context.config.chain, context.currentChain()?.network),
        // A report of the page must not pass on its link, which is the right to the money.
        operator: await operatorOf("r"),
      },
      assets,
    );
    return sendPage(reply, language, page);
  };
}

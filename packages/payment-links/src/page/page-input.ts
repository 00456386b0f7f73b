import { randomBytes } from "node:crypto";
import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { formatAmount, parseAmount } from "@daric/domain/money";
import { paymentLinkStatus } from "@daric/domain/payment-link";
import { createOperatorOf } from "@daric/hosted-checkout/find-operator";
import { merchantLanguages } from "@daric/hosted-checkout/messages/choose-language";
import { frameOf } from "@daric/hosted-checkout/page/frame";
import { networkLabel, type ReadNetwork } from "@daric/hosted-checkout/page/view";
import type { ContextOf } from "@daric/runtime/context";
import type { FastifyRequest } from "fastify";
import type { PublicLink } from "./find-public-link.ts";
import type { Closed, LinkPageInput } from "./link-page.ts";

const ATTEMPT_BYTES = 18;

/** The context of the pages. */
export type PageContext = Parameters<typeof createOperatorOf>[0] &
  ContextOf<{ readonly chain: NetworkSettings }> & {
    /** the chain, once it is verified */
    readonly currentChain: () => { readonly network: ReadNetwork } | undefined;
  };

/** The parts of a page that its route decides. */
export type Shown = Pick<LinkPageInput, "fault"> & {
  readonly shown: PublicLink;
  /** by default the amount of the page's address */
  readonly typed?: LinkPageInput["typed"] | undefined;
  /** a new one by default */
  readonly attempt?: string | undefined;
  /** by default what the link's state says */
  readonly closed?: Closed | undefined;
};

/** Completes the input of a link's page: language, network, and the operator of a deployment of several merchants. */
export function createPageInputs(context: PageContext) {
  const languagesOf = merchantLanguages();
  const { chain } = context.config;
  const operatorOf = createOperatorOf(context);
  return async (request: FastifyRequest, page: Shown): Promise<LinkPageInput> => {
    const { link, merchant } = page.shown;
    const { of, offered } = languagesOf(merchant.languages);
    const language = of(request);
    return {
      link,
      merchant,
      closed: page.closed ?? closedByState(page.shown),
      fault: page.fault,
      typed: page.typed ?? {
        amount: shownAmount(request, language),
        suggested: "",
        name: "",
        note: "",
        email: "",
      },
      attempt: page.attempt ?? randomBytes(ATTEMPT_BYTES).toString("base64url"),
      network: networkLabel(chain, context.currentChain()?.network),
      language,
      languages: offered,
      addressIn: (tag) => queryWith(request, { lang: tag }),
      frame: frameOf(request, merchant.embedOrigins),
      operator: await operatorOf(`l/${link.token}`),
    };
  };
}

function closedByState({ link, isSuspended }: PublicLink): Closed | undefined {
  const status = isSuspended ? "disabled" : paymentLinkStatus(link, link.places, new Date());
  if (status === "sold_out") return "soldOut";
  return status === "active" ? undefined : "closed";
}

/** The query of the request with other values. */
function queryWith({ query }: FastifyRequest, changed: Readonly<Record<string, string>>): string {
  const kept = Object.entries(query as object).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return `?${new URLSearchParams([...new Map([...kept, ...Object.entries(changed)])])}`;
}

/** The amount in the page's address, as its language writes it. It is a plain decimal, like those of the API; any other text is none. */
function shownAmount({ query }: FastifyRequest, { figures }: LinkPageInput["language"]): string {
  const { amount } = query as { readonly amount?: unknown };
  const parsed = typeof amount === "string" ? parseAmount(amount) : undefined;
  return parsed === undefined ? "" : figures.decimal(formatAmount(parsed));
}

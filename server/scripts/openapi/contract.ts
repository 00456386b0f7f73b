import type { Vocabulary } from "./openapi-vocabulary.ts";
import type { WebhookDescription } from "./openapi-webhooks.ts";
import { sentWebhooks } from "./sent-webhooks.ts";
import { wireExamples } from "./wire-examples.ts";
import { wireMeanings } from "./wire-meanings.ts";

/** The contract's parts besides the routes. */
type ApiContract = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly vocabulary: Vocabulary;
  readonly webhooks: WebhookDescription;
};

/** The parts of the OpenAPI document besides the routes: tags, vocabulary and webhooks. */
export const contract: ApiContract = {
  tags: [
    {
      name: "deposit addresses",
      description:
        "Orders (an amount), open addresses (any amount, for a time) and standing receive addresses.",
    },
    { name: "deposits", description: "Payments: one row for each transfer to one of your addresses." },
    {
      name: "settlement",
      description: "The money that you are owed, where it is, and the wallets that it goes to.",
    },
    {
      name: "webhooks",
      description: "Endpoints, their events, and the log of every attempt.",
    },
    {
      name: "checkout",
      description: "The data of the payer's page. No API key: the token is the credential.",
    },
    {
      name: "testing",
      description: "On a devnet only: every case that a payer can cause.",
    },
  ],
  vocabulary: { meanings: wireMeanings, examples: wireExamples },
  webhooks: sentWebhooks,
};

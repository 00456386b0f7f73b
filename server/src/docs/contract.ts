import { sentWebhooks } from "../webhooks/sent-webhooks.ts";
import type { ApiContract } from "./serve-openapi.ts";
import { wireExamples } from "./wire-examples.ts";
import { wireMeanings } from "./wire-meanings.ts";

/** What the OpenAPI document says beyond the routes: groups of operations, the words of the wire, and what is sent. */
export const contract: ApiContract = {
  tags: [
    {
      name: "deposit addresses",
      description:
        "What is to be paid: an order (an amount), an open address (any amount, for a time) or a standing receive address.",
    },
    { name: "deposits", description: "What was paid: one row for each transfer to one of your addresses." },
    {
      name: "settlement",
      description: "What you are owed, where it is, and the wallets that it goes to.",
    },
    {
      name: "webhooks",
      description:
        "Where you are told of it: endpoints, the events that they are sent, and the log of every attempt.",
    },
    {
      name: "checkout",
      description: "What the payer's page shows. No API key: whoever has the token may ask.",
    },
    {
      name: "testing",
      description: "Where the network is a devnet, and nowhere else: every case that a payer can put you in.",
    },
  ],
  vocabulary: { meanings: wireMeanings, examples: wireExamples },
  webhooks: sentWebhooks,
};

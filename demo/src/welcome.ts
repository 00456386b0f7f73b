import { join } from "node:path";
import type { DemoSettings } from "./settings.ts";
import type { Demo } from "./start-demo.ts";
import { shellQuoted, variablesPath } from "./variables-file.ts";

/** What a newcomer needs next, in the order they need it. */
export function welcome(demo: Demo): string {
  const { baseUrl, merchants, devchain, settings, nodeFault } = demo;
  return `
  ${nodeFault === undefined ? "Daric is ready." : missingNodeText(demo.settings, nodeFault)}

  API        ${baseUrl}/v1      (guides and every operation: ${baseUrl}/docs)
  API key    ${merchants.first.apiKey}
  Network    ${settings.network}${devchain ? ` — a local TRON chain at ${devchain.url}` : ""}
  Files      ${settings.home}      (logs, database, demo.json and daric.env for scripts)

  1. Create an order; open the checkout_url of the answer in a browser:

     curl -s ${baseUrl}/v1/deposit-addresses \\
       -H 'X-Api-Key: ${merchants.first.apiKey}' \\
       -H 'content-type: application/json' \\
       -d '{"amount": "25.5", "orderRef": "A-1042"}'
${devchain ? payText(devchain.url) : ""}
  The command line of the service, in another terminal:

     (. ${shellQuoted(variablesPath(settings.home))}; npx daric rates check)

  Stop with Ctrl-C. Everything is kept in ${join(settings.home)} for the next start.
`;
}

function missingNodeText({ nodeUrls }: DemoSettings, nodeFault: string): string {
  return `Daric takes orders, but sees no payments yet: ${nodeFault}.
  It goes on asking TRON_NODE_URLS=${nodeUrls}`;
}

function payText(devchainUrl: string): string {
  return `
  2. Pay it. Any TRON client works on the local chain; the shortest way is its faucet:

     curl -s ${devchainUrl}/devchain/faucet -H 'content-type: application/json' \\
       -d '{"address": "<the address of the answer>", "usdt": "25.5"}'

     npx daric demo pay <checkout_url> --case under     (pays too little; over, twice, late, wrong_coin …)

  3. Watch the page: detected, confirming, and after 19 blocks (about a minute) paid. To hurry the chain:

     curl -s ${devchainUrl}/devchain/mine -H 'content-type: application/json' -d '{"blocks": 20}'
`;
}

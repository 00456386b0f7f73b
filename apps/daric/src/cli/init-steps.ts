import { newestRates } from "@daric/settlement/plan/make-plan";
import { sweepTerms, textOfTerms } from "@daric/settlement/plan/small-sums";
import { fetchPrices } from "@daric/settlement/plan/survey";
import type { Variables } from "../process/config.ts";
import { awaitReady, openFirstOrder } from "./init-first-order.ts";
import { inviteOwner, type OwnerEntrance } from "./init-owner.ts";
import type { Progress } from "./init-progress.ts";
import type { InitOptions } from "./init-questions.ts";
import { type FirstShop, makeKey, makeShop } from "./init-shop.ts";
import type { Interview } from "./interview.ts";
import type { RunCommand, RunForService } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";
import { withNodes } from "./with-nodes.ts";
import { planningSettings } from "./with-planning.ts";

/** The input of each step of `daric init`. */
export type Asking = {
  readonly run: RunCommand;
  readonly interview: Interview;
  readonly options: InitOptions;
  readonly progress: Progress;
};

/** The shop that `daric init` made or found, and its owner's way into the dashboard. */
export type OpenedShop = FirstShop & { readonly entrance: OwnerEntrance | undefined };

/** Makes the merchant with its wallet, contact, key and owner's link, each if there is none. */
export async function openFirstShop(
  variables: Variables,
  { run, progress, ...asking }: Asking,
): Promise<OpenedShop> {
  const runService: RunForService = (args) => run(args, variables);
  const shop = await makeShop(runService, asking);
  await progress.finishing(makeKey(runService, shop).then((apiKey) => showShop(shop, apiKey, progress)));
  return { ...shop, entrance: await inviteOwner(variables, shop, { ...asking, run: runService }) };
}

function showShop({ merchant, wallet }: FirstShop, apiKey: string | undefined, { add }: Progress): void {
  const name = `'${merchant.name.replaceAll("'", "'\\''")}'`;
  const approve = `daric-signer approve --home <its folder> --merchant ${merchant.id} --name ${name} --address ${wallet} --operator-key <your key>`;
  const key =
    apiKey === undefined
      ? "It has an API key already; `daric key create` makes another one."
      : `API key, shown only now: ${apiKey}`;
  add(
    { merchantId: merchant.id, wallet, ...(apiKey && { apiKey }), approve },
    `Merchant ${merchant.name} (${merchant.id}), money goes to ${wallet}.\n${key}\n` +
      `Before settlement pays out, the signer must know the wallet:\n  ${approve}\n`,
  );
}

/** Once the service is ready: the page of a first order, what a sweep costs, and the owner's link as the last line. */
export async function finish(
  api: string,
  shop: OpenedShop,
  { variables, progress }: { variables: Variables; progress: Progress },
): Promise<void> {
  await awaitReady(api);
  const { id, address, checkoutUrl, paymentStatus } = await openFirstOrder(variables, shop.merchant.id);
  progress.add(
    { isServing: true, order: { id, address, checkoutUrl, paymentStatus } },
    paymentStatus === "paid"
      ? `The service is running, and the first order is paid: ${checkoutUrl}\n`
      : `The service is running. Pay the first order, of 1 USDT: ${checkoutUrl}\n`,
  );
  const sweepCost = await describeSweepCost(variables);
  progress.add({ sweepCost }, `${sweepCost}\n`);
  showEntrance(shop, progress);
}

/** Prints the owner's way into the dashboard. */
export function showEntrance({ entrance }: OpenedShop, { add }: Progress): void {
  if (entrance === undefined) return;
  const { text, ownerLink } = entrance;
  add({ ...(ownerLink && { ownerLink }) }, `${text}\n`);
}

/** The price of a sweep at this moment; without an answer of the nodes, where to read it. */
function describeSweepCost(variables: Variables): Promise<string> {
  return withDatabase(variables, planningSettings, ({ db, config }) =>
    withNodes(config.chain, async ({ client }) => {
      // A new service has verified no block yet, so the prices are those of all nodes.
      const prices = await fetchPrices({ config }, { client, reach: async () => client });
      return textOfTerms(sweepTerms(config.settlement, "USDT", { prices, rates: await newestRates({ db }) }));
    }),
  ).catch(() => "What a sweep costs here is not known yet: `daric sweep plan` says it.");
}

import {
  type Created,
  chargeBody,
  createOrders,
  createRequest,
  getRequest,
  inTurn,
  UNCAPPED,
} from "../charge-requests.ts";
import { openGenerator, type Request } from "../generator.ts";
import { type Contestant, compare, type Effort, type Outcome, print } from "../harness.ts";
import type { Program } from "../programs.ts";
import type { Stage, StagedDeployment, StagedMerchant } from "../stage.ts";

const CONNECTIONS = 8;
const MERCHANTS = 100;

/** The most frequent requests of merchants and payers. */
export const requestNames = ["retrieve", "checkout", "list", "create"] as const;
export type RequestName = (typeof requestNames)[number];

/** A deployment in which only the first merchant has orders. */
export type Shop = {
  readonly deployment: StagedDeployment;
  readonly merchants: readonly StagedMerchant[];
  readonly seller: StagedMerchant;
  readonly orders: readonly Created[];
};

/** Opens a shop, creates its orders through the service, and stops the service. */
export async function openShop(stage: Stage, name: string, orders: number): Promise<Shop> {
  const deployment = await stage.open(name);
  const merchants: StagedMerchant[] = [];
  for (let made = 0; made < MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
  const [seller] = merchants;
  if (seller === undefined) throw new Error("there is no merchant");
  const shop = { deployment, merchants, seller, orders: [] };
  return { ...shop, orders: await createAdjacentOrders(shop, orders) };
}

/** Creates orders one after the other, so that their rows are adjacent, and stops the service. */
export async function createAdjacentOrders({ deployment, seller }: Shop, count: number): Promise<Created[]> {
  const api = await deployment.serve("api");
  const generator = await openGenerator(api.port, 1);
  const orders = await createOrders(generator, seller, count);
  generator.close();
  await api.stop();
  return orders;
}

/** A contestant that sends one of the requests, for these orders in turn. */
export function requester(
  name: RequestName,
  api: Program,
  { seller, orders }: Pick<Shop, "seller" | "orders">,
): Contestant {
  const next = inTurn(orders);
  const requests: Readonly<Record<RequestName, () => Request>> = {
    retrieve: () => getRequest(`/v1/deposit-addresses/${next().id}`, seller),
    checkout: () => getRequest(`/v1/checkout/${next().token}`),
    list: () => getRequest("/v1/deposit-addresses?limit=20", seller),
    create: () => createRequest(seller),
  };
  return chargeBody(name, api, { connections: CONNECTIONS, next: requests[name] });
}

/** The outcome with the largest ratio; inconclusive if any of them is. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  const [worst] = outcomes.toSorted((left, right) => right.ratio - left.ratio);
  if (worst === undefined) throw new Error("nothing was compared");
  return { ...worst, isInconclusive: outcomes.some(({ isInconclusive }) => isInconclusive) };
}

/** The CPU of this request in one shop, divided by that in the other. */
export async function compareShops(
  name: RequestName,
  { ceiling, ours, stage }: { ceiling: Contestant; ours: Contestant; stage: Stage },
  effort: Effort,
): Promise<Outcome> {
  print(name);
  return compare({ ceiling, ours, measure: "cpu", postgresPid: stage.postgresPid }, effort);
}

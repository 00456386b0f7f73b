import { createRequest, UNCAPPED } from "./charge-requests.ts";
import { openGenerator } from "./generator.ts";
import type { StagedDeployment, StagedMerchant } from "./stage.ts";

type Orders = { readonly merchants: number; readonly ordersEach: number };

/** Creates `ordersEach` orders for each of `merchants` merchants; returns their addresses. */
export async function makeAddresses(deployment: StagedDeployment, orders: Orders): Promise<string[]> {
  return (await makeOrders(deployment, orders)).flatMap(({ addresses }) => addresses);
}

/** Creates `ordersEach` orders for each of `merchants` merchants, and stops the service that made them. */
export async function makeOrders(
  deployment: StagedDeployment,
  { merchants, ordersEach }: Orders,
): Promise<(StagedMerchant & { readonly addresses: readonly string[] })[]> {
  const api = await deployment.serve("api");
  const made: (StagedMerchant & { readonly addresses: readonly string[] })[] = [];
  while (made.length < merchants) {
    const addresses: string[] = [];
    const keep = (body: string): void => void addresses.push(JSON.parse(body).data.address);
    const merchant = await deployment.merchant(...UNCAPPED);
    // The connection opens only now, because the service closes one without a request.
    const generator = await openGenerator(api.port, 1);
    await generator.run(() => createRequest(merchant, keep), { count: ordersEach });
    generator.close();
    made.push({ ...merchant, addresses });
  }
  await api.stop();
  return made;
}

import { createRequest, UNCAPPED } from "./charge-requests.ts";
import { openGenerator } from "./generator.ts";
import type { StagedDeployment } from "./stage.ts";

/** Creates that many orders for each of so many merchants; returns their addresses. */
export async function makeAddresses(
  deployment: StagedDeployment,
  { merchants, ordersEach }: { merchants: number; ordersEach: number },
): Promise<string[]> {
  const api = await deployment.serve("api");
  const generator = await openGenerator(api.port, 1);
  const addresses: string[] = [];
  const keep = (body: string): void => void addresses.push(JSON.parse(body).data.address);
  for (let made = 0; made < merchants; made += 1) {
    const merchant = await deployment.merchant(...UNCAPPED);
    await generator.run(() => createRequest(merchant, keep), { count: ordersEach });
  }
  generator.close();
  await api.stop();
  return addresses;
}

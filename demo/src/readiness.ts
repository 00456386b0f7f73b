import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./settings.ts";

/** What a local chain says of itself. */
export type DevchainInfo = {
  readonly url: string;
  readonly usdtContract: string;
  readonly payer: { readonly address: string; readonly privateKey: string };
};

/** Asks a local chain that is starting until it answers; `check` throws when there is nothing to wait for. */
export async function waitForDevchain(url: string, check: () => Promise<void>): Promise<DevchainInfo> {
  const info = await waitFor(`the local chain at ${url}`, check, async () => {
    const answer = await fetch(`${url}/devchain/info`, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? ((await answer.json()) as DevchainInfo) : undefined;
  });
  return { url, usdtContract: info.usdtContract, payer: info.payer };
}

/** Asks the service until it says that it is ready. */
export async function waitForService(baseUrl: string, check: () => Promise<void>): Promise<void> {
  await waitFor(`the service at ${baseUrl}`, check, async () => {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return answer.ok || undefined;
  });
}

const READY_TIMEOUT_MS = 55_000;

async function waitFor<T>(
  what: string,
  check: () => Promise<void>,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    await check();
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(100);
  }
  throw new StartError(
    `${what} did not become ready within ${READY_TIMEOUT_MS / 1_000} s. Its log tells why.`,
  );
}

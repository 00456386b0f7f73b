import { setTimeout as sleep } from "node:timers/promises";
import { DemoError } from "./settings.ts";

/** The description of a local chain. */
export type DevchainInfo = {
  readonly url: string;
  readonly usdtContract: string;
  readonly payer: { readonly address: string; readonly privateKey: string };
};

const READY_TIMEOUT_MS = 55_000;
/** How long a start waits for the user's own node. Afterwards the service keeps querying it. */
const NODE_PATIENCE_MS = 8_000;
const POLL_TIMEOUT_MS = 2_000;
const POLL_EVERY_MS = 100;

/**
 * Queries the demo's own local chain until it answers; `check` throws if the chain has ended.
 *
 * @throws DemoError without an answer in time.
 */
export async function waitForDevchain(url: string, check: () => Promise<void>): Promise<DevchainInfo> {
  const info = await waitFor(() => pollDevchain(url), { check, patienceMs: READY_TIMEOUT_MS });
  if (info === undefined) throw notReady(`the local chain at ${url}`);
  return info;
}

/** Queries the user's own local chain; undefined without an answer, or for a chain of another kind. */
export async function findDevchain(url: string): Promise<DevchainInfo | undefined> {
  return waitFor(() => pollDevchain(url), { check: async () => {}, patienceMs: NODE_PATIENCE_MS });
}

/**
 * Queries the service until it is ready. The user's own nodes may be unreachable: after some time it returns the
 * fault of these nodes.
 *
 * @throws DemoError if it is not ready in time.
 */
export async function waitForService(
  baseUrl: string,
  { check, hasOwnNodes }: { check: () => Promise<void>; hasOwnNodes: boolean },
): Promise<{ nodeFault: string | undefined }> {
  const nodeDeadline = performance.now() + NODE_PATIENCE_MS;
  const found = await waitFor(
    async () => {
      const faults = await pollReadiness(baseUrl);
      if (faults.length === 0) return { nodeFault: undefined };
      const isUpWithoutNodes = hasOwnNodes && faults.every(({ name }) => NODE_CHECKS.includes(name));
      if (!isUpWithoutNodes || performance.now() < nodeDeadline) return undefined;
      return { nodeFault: faults.map(({ detail }) => detail).join("; ") };
    },
    { check, patienceMs: READY_TIMEOUT_MS },
  );
  if (found === undefined) throw notReady(`the service at ${baseUrl}`);
  return found;
}

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

/** The checks of the service that depend on nodes. */
const NODE_CHECKS: readonly string[] = ["node", "scanner"];

async function pollReadiness(baseUrl: string): Promise<Check[]> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(POLL_TIMEOUT_MS) });
  const { checks } = (await answer.json()) as { checks: Check[] };
  return checks.filter(({ ok }) => !ok);
}

async function pollDevchain(url: string): Promise<DevchainInfo | undefined> {
  const answer = await fetch(`${url}/devchain/info`, { signal: AbortSignal.timeout(POLL_TIMEOUT_MS) });
  if (!answer.ok) return undefined;
  const { usdtContract, payer } = (await answer.json()) as DevchainInfo;
  return { url, usdtContract, payer };
}

async function waitFor<T>(
  probe: () => Promise<T | undefined>,
  { check, patienceMs }: { check: () => Promise<void>; patienceMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    await check();
    const answer = await probe().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(POLL_EVERY_MS);
  }
  return undefined;
}

function notReady(what: string): DemoError {
  return new DemoError(`${what} did not become ready within ${READY_TIMEOUT_MS / 1_000} s. See its log.`);
}

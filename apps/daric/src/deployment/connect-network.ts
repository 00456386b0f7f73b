import { setTimeout as sleep } from "node:timers/promises";
import { addressSettings } from "@daric/addresses/context";
import { findUseOfXpub } from "@daric/addresses/find-use-of-xpub";
import { createBlockDecoder } from "@daric/chain/blocks/block-decoder";
import { NodeError, WrongChainError } from "@daric/chain/blocks/node-error";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { findNetwork, type Network } from "@daric/chain/nodes/networks";
import { verifyNetwork } from "@daric/chain/nodes/verify-network";
import type { HostWatch } from "@daric/chain/nodes/watch-host";
import type { Queryable } from "@daric/postgres/sql";
import { createOutage } from "@daric/runtime/outage";
import { claimGenesis, releaseXpub } from "./claim-deployment.ts";
import type { NodesContext } from "./context.ts";
import { createNodeFailures, createNodeOutages, type NodeFailures } from "./node-failures.ts";
import { StartError } from "./start-error.ts";

const NOT_VERIFIED = {
  begins:
    "no node of the configured network is verified yet, and the chain cannot be read; the nodes are queried again",
  lasts: "still no node of the configured network is verified",
  ends: "a node of the configured network is verified",
};

/** How long a start waits for nodes without any answer before it continues without them. */
const FIRST_WAIT_MS = 5_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

/**
 * Tolerance for block times of a public network ahead of our clock: clocks differ, and a block is made in its
 * slot.
 */
export const MAX_AHEAD_OF_CLOCK_MS = 60_000;

/** A verified chain of the configured network. */
export type Chain = {
  readonly client: TronClient;
  readonly network: Network;
  /** of its nodes, even if another node answered, in public words */
  readonly failures?: Pick<NodeFailures, "recent" | "of">;
};

export type NetworkConnection = {
  /** the chain, once it is verified */
  current(): Chain | undefined;
  /** The public reason why no chain is verified yet; undefined once one is, or before the first attempt. */
  fault(): string | undefined;
  /** Ends the attempts and all connections to nodes. */
  close(): Promise<void>;
};

/**
 * Verifies that the nodes are of the configured network. Unreachable nodes are retried in the background
 * until one answers. Then, or before this returns, `onVerified` runs once.
 *
 * @throws StartError for a node of another network. A later one goes to `onRefused`.
 */
export async function connectNetwork(
  context: NodesContext,
  events: { onVerified(chain: Chain): void; onRefused(error: StartError): void },
): Promise<NetworkConnection> {
  const stopping = new AbortController();
  const { log, clock } = context;
  const unverified = createOutage({
    log,
    clock,
    facts: { event: "network_unverified" },
    texts: NOT_VERIFIED,
  });
  const watch = createNodeOutages(context);
  let chain: Chain | undefined;
  let fault: string | undefined;
  let isStarted = false;

  async function connect(onFirstFailure: () => void): Promise<void> {
    const onFailure = (error: unknown): void => {
      fault = error instanceof NodeError ? error.safeMessage : undefined;
      if (error instanceof NodeError) unverified.failed(error.message);
      else if (!context.databaseOutage.report(error))
        log.error(
          { event: "network_check_failed", err: error },
          "the network could not be verified; it will be retried",
        );
      onFirstFailure();
    };
    chain = await verifyPatiently(context, { signal: stopping.signal, watch, onFailure });
    unverified.answered();
    if (chain && !stopping.signal.aborted) events.onVerified(chain);
  }

  let onFailure = (): void => {};
  const firstFailure = new Promise<void>((resolve) => {
    onFailure = resolve;
  });
  const connecting = connect(onFailure).catch((error: unknown) => {
    const refusal = error instanceof StartError ? error : new StartError("wrong_chain", String(error));
    if (!isStarted) throw refusal;
    events.onRefused(refusal);
  });
  await Promise.race([connecting, firstFailure, sleep(FIRST_WAIT_MS, undefined, { ref: false })]);
  isStarted = true;
  return {
    current: () => chain,
    fault: () => (chain === undefined ? fault : undefined),
    close: async () => {
      stopping.abort();
      await connecting;
      unverified.stop();
      watch.stop();
      await chain?.client.close();
    },
  };
}

/** Verifies with retries. Undefined if it was stopped before any node answered. */
async function verifyPatiently(
  context: NodesContext,
  { signal, watch, onFailure }: { signal: AbortSignal; watch: HostWatch; onFailure(error: unknown): void },
): Promise<Chain | undefined> {
  const unused = new Set<string>();
  for (let retryMs = MIN_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    try {
      return await verifyOnce(context, watch, unused);
    } catch (error) {
      if (error instanceof StartError) throw error;
      if (error instanceof WrongChainError)
        throw new StartError("wrong_chain", `wrong chain: ${error.message}`);
      onFailure(error);
    }
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

async function verifyOnce(context: NodesContext, watch: HostWatch, unused: Set<string>): Promise<Chain> {
  const { nodeUrls: urls, solidityUrls, apiKey } = context.config.chain;
  const network = await findNetwork(context.config.chain);
  const failures = createNodeFailures(context);
  const client = createTronClient({
    nodes: urls.map((url, index) => ({ url, solidityUrl: solidityUrls[index] })),
    apiKey,
    genesisId: network.genesisId,
    tokens: network.tokens,
    decoder: createBlockDecoder(context),
    onFailure: failures.report,
    watch,
    latestTimeMs: latestTimeOn(network, context),
  });
  try {
    const { unusable, withoutSolidBlocks } = await verifyNetwork(client, network);
    if (unusable.length === urls.length) throw noneOf(unusable);
    for (const { message } of unusable)
      context.log.warn({ event: "node_unusable", reason: message }, "a node cannot be used yet");
    for (const reason of withoutSolidBlocks) {
      context.log.error(
        { event: "node_without_solid_blocks", reason },
        "a node shows no solid blocks, which Daric compares final blocks with",
      );
    }
    await requireUnusedXpub(context, { client, network }, unused);
    await claimGenesis(context, network.genesisId);
    return { client, network, failures };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Refuses an xpub that the chain knows while this database has issued no address. Two databases that issue
 * the same addresses mix up their payments. A refused xpub is not bound, so that the database can start with
 * another one.
 *
 * @throws StartError for an empty database whose first addresses were used; NodeError if no node answers.
 */
async function requireUnusedXpub(
  { config, db }: NodesContext,
  chain: Chain,
  unused: Set<string>,
): Promise<void> {
  const xpub = config.addresses?.accountXpub;
  if (xpub === undefined) return;
  const fault = await findFaultOfXpub(db, chain, { xpub, unused });
  if (fault === undefined) return;
  await releaseXpub({ db }, xpub);
  throw new StartError("xpub_in_use", `${addressSettings.accountXpub.env} ${fault}`);
}

/**
 * The fault of an xpub whose addresses the chain knows while this database has issued none, to follow its variable. `db` is
 * undefined for a database without tables.
 *
 * @throws NodeError if no node answers.
 */
export async function findFaultOfXpub(
  db: Queryable | undefined,
  chain: Pick<Chain, "client" | "network">,
  xpub: Parameters<typeof findUseOfXpub>[2],
): Promise<string | undefined> {
  const used = await findUseOfXpub(db, chain, xpub);
  if (used === undefined) return undefined;
  return (
    `is in use already: ${used}, one of its first addresses, is known on ${chain.network.name}, and this database has issued ` +
    "none. Restore the database that issued it, or give this one an account of its own: " +
    "`daric seed --xpub-from-stdin --account <next number>`"
  );
}

/** The error of a single node, or one that joins the errors of several nodes. */
function noneOf(unusable: readonly NodeError[]): NodeError {
  const [only] = unusable;
  if (only !== undefined && unusable.length === 1) return only;
  const node = unusable.map(({ safeMessage: safe }) => safe).join("; ");
  return new NodeError("no node can be used", { fault: "unreachable", node });
}

/** A local chain is mined on command, so its blocks may have any time. */
function latestTimeOn({ name }: Network, { clock }: NodesContext): (() => number) | undefined {
  return name === "devnet" ? undefined : () => clock.now().getTime() + MAX_AHEAD_OF_CLOCK_MS;
}

import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Network, NetworkSettings } from "@daric/chain/nodes/networks";
import type { Environment } from "@daric/domain/api-scope";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId, type WalletRequestId } from "@daric/domain/ids";
import { vetConfirmed } from "@daric/merchants/add-settlement-account";
import { changeMerchant } from "@daric/merchants/change-merchant";
import type { LogoContext } from "@daric/merchants/context";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import {
  type MerchantInput,
  parseInput,
  parseMerchantInput,
  settlementAccountInput,
} from "@daric/merchants/schema";
import type { Merchant } from "@daric/merchants/store";
import { type LogoInput, takeLogo } from "@daric/merchants/take-logo";
import type { WalletVetting } from "@daric/merchants/vet-wallet";
import type { ContextOf } from "@daric/runtime/context";
import { uuidv7 } from "uuidv7";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";
import { insertWalletRequest, type WalletRequest, withdrawWalletRequest } from "./wallet-request-store.ts";

/** The Retry-After while no node vets a wallet. */
const NODES_RETRY_SECONDS = 10;

export type Context = Pick<
  ContextOf<
    LogoContext["config"] & {
      readonly environment: Environment;
      readonly chain: NetworkSettings;
      readonly merchants: { readonly keyPepper: string };
    }
  >,
  "db" | "config"
>;

/** The nodes that vet wallets, once their chain is verified. */
export type WalletChain = {
  readonly currentChain: () =>
    | { readonly client: Pick<NodeGroup, "nodes">; readonly network: Pick<Network, "tokens"> }
    | undefined;
};

/** An input of a person, for one merchant. */
export type Change<T> = { readonly actor: Actor; readonly merchantId: MerchantId; readonly input: T };

/** A form: its values, and the `updated_at` of the row that it shows. */
type Form = { readonly updatedAt: Date };

/** @throws VALIDATION_ERROR; CHANGED_MEANWHILE when the row was changed after the form was read. */
export async function changeMerchantSettings(
  context: Context,
  {
    actor,
    merchantId,
    input,
  }: Change<Form & Omit<MerchantInput, "feeBasisPoints" | "activeAddressCap" | "logoUrl">>,
): Promise<Merchant> {
  const { updatedAt, ...form } = input;
  const terms = parseMerchantInput(context.config.chain.network, form);
  return store(context, { actor, merchantId, input: { updatedAt, terms, action: "change settings" } });
}

/** Stores a logo, or removes it. @throws as {@link changeMerchantSettings}; VALIDATION_ERROR of a picture that is none. */
export async function changeLogo(
  context: Context,
  { actor, merchantId, input: { updatedAt, ...logo } }: Change<Form & LogoInput>,
): Promise<Merchant> {
  const isRemoved = logo.logoUrl === undefined && logo.logoFile === undefined;
  const terms = (await takeLogo(context, isRemoved ? { logoUrl: "" } : logo)) ?? {};
  return store(context, { actor, merchantId, input: { updatedAt, terms, action: "change logo" } });
}

async function store(
  { db }: Context,
  { actor, merchantId, input }: Change<Form & { terms: Partial<MerchantTerms>; action: string }>,
): Promise<Merchant> {
  const { updatedAt, terms, action } = input;
  return db.transaction(async (tx) => {
    const { before, after } = await changeMerchant(tx, { id: merchantId, updatedAt, terms });
    const names = Object.keys(terms) as (keyof MerchantTerms)[];
    const changed = (row: Merchant) => Object.fromEntries(names.map((name) => [name, row[name]]));
    const values = { before: changed(before), after: changed(after) };
    await auditAct(tx, actor, { action, subject: `merchant ${merchantId}`, ...values, merchantId });
    return after;
  });
}

/**
 * Asks for a wallet, which does not count until the operator adds it.
 *
 * @throws VALIDATION_ERROR when it is no address, or must not receive money; WALLET_NOT_CONFIRMED when other keys have
 * permissions on it and `permissions` does not confirm these; SERVICE_UNAVAILABLE when no node vets it.
 */
export async function requestWallet(
  { db, currentChain }: Pick<Context, "db"> & WalletChain,
  { actor, merchantId, input }: Change<{ address: string; label?: string; permissions?: string }>,
): Promise<WalletRequest> {
  const { permissions: confirmed, ...wallet } = input;
  const { address, label = null } = parseInput(settlementAccountInput, wallet);
  const { permissions } = await vetByNodes(currentChain(), address.address, confirmed);
  const id = idOf("walletRequest", uuidv7());
  const { personId } = actor.session;
  const request = { id, merchantId, address: address.address, label, permissions, personId };
  return db.transaction(async (tx) => {
    const after = { address: request.address, label, permissions, status: "waiting" };
    await auditAct(tx, actor, {
      action: "request wallet",
      subject: `wallet request ${id}`,
      after,
      merchantId,
    });
    return insertWalletRequest(tx, request);
  });
}

async function vetByNodes(
  chain: ReturnType<WalletChain["currentChain"]>,
  ...wallet: [address: string, confirmed: string | undefined]
): Promise<WalletVetting> {
  const unavailable = () =>
    new ApiError("SERVICE_UNAVAILABLE", {
      message: "No node of the chain answers, and only a node can say which keys may move the wallet.",
      retryAfterSeconds: NODES_RETRY_SECONDS,
    });
  if (chain === undefined) throw unavailable();
  const nodes = { nodes: chain.client.nodes, tokens: chain.network.tokens };
  return vetConfirmed(nodes, ...wallet).catch((error: unknown) => {
    throw error instanceof NodeError ? unavailable() : error;
  });
}

/** @throws NOT_FOUND when the merchant has no such request that waits. */
export async function withdrawWallet(
  { db }: Pick<Context, "db">,
  { actor, merchantId, input: id }: Change<WalletRequestId>,
): Promise<WalletRequest> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawWalletRequest(tx, { merchantId, id });
    if (withdrawn === undefined) throw new ApiError("NOT_FOUND");
    const { address, label } = withdrawn;
    await auditAct(tx, actor, {
      action: "withdraw wallet request",
      subject: `wallet request ${id}`,
      before: { address, label, status: "waiting" },
      after: { address, label, status: "withdrawn" },
      merchantId,
    });
    return withdrawn;
  });
}

import { bytesOfHex } from "@daric/addresses/address-bytes";
import { findOwners } from "@daric/addresses/directory-store";
import { findGasWallets } from "@daric/addresses/gas-wallet-store";
import { knownNetwork, type NetworkSettings } from "@daric/chain/nodes/networks";
import { OWN_KEY_ONLY } from "@daric/chain/nodes/wallet-permissions";
import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import { idOf } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Context } from "./context.ts";
import { lockMerchantById } from "./get-merchant.ts";
import { findOperatorAccounts } from "./operator-account-store.ts";
import { parseInput, settlementAccountInput } from "./schema.ts";
import { type SettlementAccount, upsertSettlementAccount } from "./settlement-account-store.ts";
import { vetWallet, type WalletNodes, type WalletVetting } from "./vet-wallet.ts";

/** TRON's burn address has no key: money sent there is destroyed. */
const BLACK_HOLE_HEX = `41${"0".repeat(40)}`;

/** An account that was just added; `vetting` is undefined if no node was queried. */
type AddedAccount = { readonly account: SettlementAccount; readonly vetting: WalletVetting | undefined };

/**
 * Adds a settlement account after vetting its wallet; the first becomes the default. Adding an existing address
 * enables it and keeps its id. Nothing is written for a wallet that fails. Without `chain` no node is queried.
 *
 * @throws VALIDATION_ERROR when money could not come back from the address: mistyped, one of our own, a contract,
 * blacklisted by USDT or the burn address; also when it is an account of the operator; WALLET_NOT_CONFIRMED as
 * {@link vetConfirmed}; NOT_FOUND when there is no such merchant; NodeError when no node answers.
 */
export async function addSettlementAccount(
  context: Pick<Context, "db" | "config"> & {
    readonly chain: WalletNodes | undefined;
    /** the stake account in base58; it lends energy */
    readonly stakeAddress?: string | undefined;
  },
  merchant: string,
  { confirmed, ...input }: z.input<typeof settlementAccountInput> & { confirmed?: string | undefined },
): Promise<AddedAccount> {
  const { address, label } = parseInput(settlementAccountInput, input);
  const lostBecause = reasonMoneyIsLost(context.config.chain, address.hex);
  if (lostBecause !== undefined) throw refusedAddress(lostBecause);
  const vetting = context.chain && (await vetConfirmed(context.chain, address.address, confirmed));
  return context.db.transaction(async (tx) => {
    const merchantId = await lockMerchantById(tx, merchant);
    if ((await findOwners(tx, [bytesOfHex(address.hex)])).length > 0) {
      throw refusedAddress("is an address that this service hands out to payers");
    }
    if ((await findGasWallets(tx)).has(address.hex))
      throw refusedAddress("is the gas wallet of this service");
    const { stakeAddresses, operatorWallets } = await findOperatorAccounts(tx);
    if ([context.stakeAddress, ...stakeAddresses].includes(address.address))
      throw refusedAddress("is the stake account of this service, whose TRX lends energy");
    if (operatorWallets.includes(address.address))
      throw refusedAddress("is the operator's wallet, which the signer's list has for the operator's fees");
    const account = await upsertSettlementAccount(tx, {
      id: idOf("settlementAccount", uuidv7()),
      merchantId,
      address: address.address,
      label,
      permissions: vetting?.permissions,
    });
    return { account, vetting };
  });
}

/**
 * Vets a wallet whose permissions a person has confirmed by their digest; one that only its own key moves needs none.
 *
 * @throws VALIDATION_ERROR for a wallet that must not receive money; WALLET_NOT_CONFIRMED when other keys have
 * permissions on it and `confirmed` does not name these; NodeError when no node answers.
 */
export async function vetConfirmed(
  chain: WalletNodes,
  address: string,
  confirmed: string | undefined,
): Promise<WalletVetting> {
  const vetting = await vetWallet(chain, address);
  const { fault, permissions, warnings, otherKeys } = vetting;
  if (fault !== undefined) throw refusedAddress(fault);
  if (permissions === OWN_KEY_ONLY || permissions === confirmed) return vetting;
  const message = `must confirm the keys of this wallet. ${warnings.join(" ")} If you know these keys, confirm the permissions ${permissions}`;
  const rule = fieldRule("walletKeys", permissions, otherKeys.moving.join(", "), otherKeys.all.join(", "));
  throw new ApiError("WALLET_NOT_CONFIRMED", { details: [{ path: "permissions", message, rule }] });
}

function reasonMoneyIsLost(network: NetworkSettings, hex: string): string | undefined {
  if (hex === BLACK_HOLE_HEX) return "is the black hole address, which has no key";
  const token = knownNetwork(network)?.tokens.find(({ contractHex }) => contractHex === hex);
  return token && `is the ${token.currency} contract, what is sent to it is lost`;
}

function refusedAddress(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path: "address", message }] });
}

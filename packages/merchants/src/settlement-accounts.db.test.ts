import { addressBytes } from "@daric/addresses/address-bytes";
import { issuedInDirectory } from "@daric/addresses/directory-store";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import {
  asOwners,
  createTestContext,
  TEST_XPUB,
  type TestContext,
  withSettings,
} from "@daric/testing/context";
import { deriveOperatorAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { hexToAddress } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addSettlementAccount } from "./add-settlement-account.ts";
import { disableSettlementAccount } from "./disable-settlement-account.ts";
import { setDefaultSettlementAccount } from "./set-default-settlement-account.ts";
import { listSettlementAccounts, type SettlementAccount } from "./settlement-account-store.ts";
import type { WalletNodes } from "./vet-wallet.ts";

let chain: TestChain;
let context: TestContext & { readonly chain: WalletNodes; close(): Promise<void> };
let merchantId: MerchantId;

beforeAll(async () => {
  chain = await startTestChain();
  const { client, network } = chain;
  const nodes = { nodes: client.nodes, tokens: network.tokens };
  context = { ...asOwners(await createTestContext()), chain: nodes };
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await chain.stop();
  await context.close();
});

const vet = (address = anAddress()) => addSettlementAccount(context, merchantId, { address });
const add = async (address?: string): Promise<SettlementAccount> => (await vet(address)).account;

async function defaults(): Promise<string[]> {
  const accounts = await listSettlementAccounts(context.db, merchantId);
  return accounts.filter(({ isDefault }) => isDefault).map(({ id }) => id);
}

function addressFault(message: string) {
  return {
    code: "VALIDATION_ERROR",
    details: [{ path: "address", message: expect.stringContaining(message) }],
  };
}

describe("addSettlementAccount", () => {
  it("the first account becomes the default, the next ones do not", async () => {
    const { account: first } = await addSettlementAccount(context, merchantId, {
      address: anAddress(),
      label: "cold",
    });
    expect(first).toMatchObject({
      merchantId,
      chain: "tron",
      label: "cold",
      status: "active",
      isDefault: true,
    });
    expect(await add()).toMatchObject({ label: null, isDefault: false });
    expect(await defaults()).toEqual([first.id]);
  });

  it("of many first accounts at once exactly one becomes the default", async () => {
    await Promise.all(Array.from({ length: 8 }, () => add()));
    expect(await defaults()).toHaveLength(1);
    expect(await listSettlementAccounts(context.db, merchantId)).toHaveLength(8);
  });

  it("adding an address again keeps its account and enables it", async () => {
    const account = await add();
    expect(await add(account.address)).toMatchObject({ id: account.id, isDefault: true });
    await disableSettlementAccount(context, { id: account.id, merchantId });
    expect(await add(account.address)).toMatchObject({ id: account.id, status: "active", isDefault: true });
    await Promise.all([add(account.address), add(account.address)]);
    expect(await listSettlementAccounts(context.db, merchantId)).toHaveLength(1);
  });

  it("an absent label is kept, an empty one is removed", async () => {
    const address = anAddress();
    await addSettlementAccount(context, merchantId, { address, label: "cold" });
    expect(await add(address)).toMatchObject({ label: "cold" });
    expect(await addSettlementAccount(context, merchantId, { address, label: "" })).toMatchObject({
      account: { label: null },
    });
  });

  it("a mistyped address is refused with the reason", async () => {
    const address = anAddress();
    const typo = address.slice(0, -1) + (address.endsWith("2") ? "3" : "2");
    await expect(add(typo)).rejects.toMatchObject(addressFault("checksum"));
    await expect(add(`${address} `)).rejects.toMatchObject(addressFault("character"));
    await expect(add("0xdAC17F958D2ee523a2206206994597C13D831ec7")).rejects.toMatchObject(addressFault("34"));
    await expect(add("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")).rejects.toMatchObject(
      addressFault("another chain"),
    );
    await expect(add("")).rejects.toMatchObject(addressFault("34 characters"));
  });

  it("an address of this service is refused", async () => {
    const issued = anAddress();
    await context.db.query(
      issuedInDirectory(sql`
        select ${addressBytes(issued)}::bytea, ${merchantId}::uuid, ${uuidv7()}::uuid, ${uuidv7()}::uuid, 0`),
    );
    await expect(add(issued)).rejects.toMatchObject(addressFault("hands out to payers"));
    await aCharge(context.db, { merchantId });
    const gasWallet = deriveOperatorAddress(parseAccountXpub(TEST_XPUB), 0);
    await expect(add(gasWallet)).rejects.toMatchObject(addressFault("gas wallet"));
  });

  it("an account of the operator is refused: the stake that lends energy, and the wallet that takes fees", async () => {
    const [configured, told, old, acting, coming] = Array.from({ length: 5 }, () => anAddress());
    if (coming === undefined) throw new Error("no address");
    const { db: owner } = context;
    await owner.query(sql`
      insert into signer_state (seen_at, state) values (now(), jsonb_build_object('stakeAddress', ${told}::text))`);
    await owner.query(sql`
      insert into signer_destinations (counter, merchant_id, name, address, fee_ceiling, seen_at, acts_from)
      select n, 'operator', 'Operator', address, '{}', now(), now() + case when n = 3 then interval '1 day' else '0' end
      from unnest(${[old, acting, coming]}::text[]) with ordinality as listed (address, n)`);
    const withStake = (address?: string) =>
      addSettlementAccount({ ...context, stakeAddress: configured }, merchantId, { address: address ?? "" });
    for (const stake of [configured, told])
      await expect(withStake(stake)).rejects.toMatchObject(addressFault("is the stake account"));
    for (const wallet of [acting, coming])
      await expect(withStake(wallet)).rejects.toMatchObject(addressFault("is the operator's wallet"));
    expect(await listSettlementAccounts(context.db, merchantId)).toEqual([]);
    await withStake(old);
    await owner.query(sql`delete from signer_state`);
    await owner.query(sql`truncate signer_destinations`);
  });

  it("an address from which money never comes back is refused", async () => {
    await expect(add(hexToAddress(`41${"0".repeat(40)}`))).rejects.toMatchObject(addressFault("black hole"));
    const mainnet = withSettings(context, { chain: { network: "mainnet" } });
    const contract = { address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" };
    await expect(addSettlementAccount(mainnet, merchantId, contract)).rejects.toMatchObject(
      addressFault("USDT contract"),
    );
  });

  it("a contract is refused, and so is a wallet that USDT has blacklisted, and nothing is written", async () => {
    await expect(add(chain.network.tokens[0]?.contract)).rejects.toMatchObject(addressFault("is a contract"));
    const frozen = anAddress();
    await chain.devchain.control("token", { blacklist: [frozen] });
    await chain.mine(1);
    await expect(add(frozen)).rejects.toMatchObject(addressFault("blacklisted"));
    expect(await listSettlementAccounts(context.db, merchantId)).toEqual([]);
  });

  it("returns the price of a wallet's activation, and none for an activated wallet", async () => {
    expect(await vet()).toMatchObject({ vetting: { activation: 1_100_000n } });
    expect(await vet(chain.devchain.payer.address)).toMatchObject({ vetting: { activation: undefined } });
  });

  it("nothing is written if no node answers; one answer is enough, and so is one warning", async () => {
    const [node] = context.chain.nodes as [TronNode];
    const silent = () => Promise.reject(new NodeError("is silent", { fault: "timeout", node: "gone" }));
    const gone: TronNode = Object.create(node, { call: { value: silent } });
    const frozen: TronNode = Object.create(node, {
      call: {
        value: async (path: string, question: object, parse: (answer: unknown) => unknown) =>
          path.endsWith("triggerconstantcontract")
            ? parse({ result: { result: true }, constant_result: ["1".padStart(64, "0")] })
            : node.call(path, question, parse),
      },
    });
    const addBy = (...nodes: TronNode[]) =>
      addSettlementAccount({ ...context, chain: { ...context.chain, nodes } }, merchantId, {
        address: anAddress(),
      });
    const bound = Object.create(node, {
      call: { value: node.call.bind(node) },
      getResourcePrices: { value: node.getResourcePrices.bind(node) },
    });
    await expect(addBy(gone)).rejects.toThrow("is silent");
    await expect(addBy(bound, frozen)).rejects.toMatchObject(addressFault("blacklisted"));
    expect(await listSettlementAccounts(context.db, merchantId)).toEqual([]);
    expect(await addBy(gone, bound)).toMatchObject({ account: { isDefault: true } });
  });

  it("an unknown merchant is not found", async () => {
    for (const id of [uuidv7(), "nobody"]) {
      const adding = addSettlementAccount(context, id, { address: anAddress() });
      await expect(adding).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("setDefaultSettlementAccount", () => {
  it("moves the default", async () => {
    await add();
    const { id } = await add();
    expect(await setDefaultSettlementAccount(context, { id, merchantId })).toMatchObject({
      id,
      isDefault: true,
    });
    expect(await setDefaultSettlementAccount(context, { id, merchantId })).toMatchObject({
      id,
      isDefault: true,
    });
    expect(await defaults()).toEqual([id]);
  });

  it("concurrent changes leave exactly one default", async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => add()));
    const changes = [...accounts, ...accounts].map(({ id }) =>
      setDefaultSettlementAccount(context, { id, merchantId }),
    );
    await Promise.all(changes);
    expect(await defaults()).toHaveLength(1);
  });

  it("a disabled, an unknown and another merchant's account cannot be the default", async () => {
    const first = await add();
    const { id } = await add();
    await disableSettlementAccount(context, { id, merchantId });
    const set = (input: { id: string; merchantId: string }) => setDefaultSettlementAccount(context, input);
    await expect(set({ id, merchantId })).rejects.toMatchObject({ code: "SETTLEMENT_ACCOUNT_DISABLED" });
    const missing = { code: "SETTLEMENT_ACCOUNT_NOT_FOUND" };
    await expect(set({ id: uuidv7(), merchantId })).rejects.toMatchObject(missing);
    await expect(set({ id: "nothing", merchantId })).rejects.toMatchObject(missing);
    const other = await aMerchant(context.db);
    await expect(set({ id: first.id, merchantId: other.id })).rejects.toMatchObject(missing);
    await expect(set({ id: first.id, merchantId: uuidv7() })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await defaults()).toEqual([first.id]);
  });
});

describe("disableSettlementAccount", () => {
  it("an account that is not the default is disabled, and again without effect", async () => {
    const first = await add();
    const { id } = await add();
    const disabled = await disableSettlementAccount(context, { id, merchantId });
    expect(disabled).toMatchObject({ id, status: "disabled", isDefault: false });
    expect(await disableSettlementAccount(context, { id, merchantId })).toEqual(disabled);
    expect(await defaults()).toEqual([first.id]);
  });

  it("the default needs a named successor while others are active", async () => {
    const first = await add();
    const second = await add();
    await expect(disableSettlementAccount(context, { id: first.id, merchantId })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "newDefault" }],
    });
    expect(await defaults()).toEqual([first.id]);
    await disableSettlementAccount(context, { id: first.id, merchantId, newDefaultId: second.id });
    expect(await defaults()).toEqual([second.id]);
  });

  it("the successor must be another active account of the merchant", async () => {
    const [first, second] = [await add(), await add()];
    await add();
    await disableSettlementAccount(context, { id: second.id, merchantId });
    const disable = (newDefaultId: string) =>
      disableSettlementAccount(context, { id: first.id, merchantId, newDefaultId });
    await expect(disable(first.id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(disable(second.id)).rejects.toMatchObject({ code: "SETTLEMENT_ACCOUNT_DISABLED" });
    await expect(disable(uuidv7())).rejects.toMatchObject({ code: "SETTLEMENT_ACCOUNT_NOT_FOUND" });
    expect(await defaults()).toEqual([first.id]);
  });

  it("the last active account can be disabled; the next one added becomes the default", async () => {
    const { id } = await add();
    await disableSettlementAccount(context, { id, merchantId });
    expect(await defaults()).toEqual([]);
    const next = await add();
    expect(await defaults()).toEqual([next.id]);
  });

  it("disabling the default while the default moves leaves one default", async () => {
    for (let round = 0; round < 5; round += 1) {
      merchantId = (await aMerchant(context.db)).id;
      const [first, second] = [await add(), await add()];
      await Promise.allSettled([
        disableSettlementAccount(context, { id: first.id, merchantId, newDefaultId: second.id }),
        setDefaultSettlementAccount(context, { id: second.id, merchantId }),
        setDefaultSettlementAccount(context, { id: first.id, merchantId }),
      ]);
      expect(await defaults()).toEqual([second.id]);
    }
  });
});

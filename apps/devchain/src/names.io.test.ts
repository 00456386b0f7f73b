import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SHOP = keyPairFromPhrase("a shop with a name");
const OTHER = keyPairFromPhrase("another shop");
const SOLID_LAG = 18;

let devchain: TestDevchain;
let shop: TronWeb;
let other: TronWeb;

beforeAll(async () => {
  devchain = await aDevchain();
  shop = devchain.tronWeb(SHOP.privateKey);
  other = devchain.tronWeb(OTHER.privateKey);
  for (const { address } of [SHOP, OTHER]) await devchain.control("faucet", { address, trx: "100" });
  await devchain.mine(1);
});
afterAll(() => devchain.stop());

const hexOf = (text: string) => TronWeb.fromUtf8(text);

/** Sends a transaction as its client; returns the text of a refusal. */
async function sent(client: TronWeb, name: "updateAccount" | "setAccountId", text: string) {
  const sender = client.defaultAddress.hex || "";
  const built = await client.transactionBuilder[name](text, sender);
  const { message = "" } = await client.trx.sendRawTransaction(await client.trx.sign(built));
  return message === "" ? "" : TronWeb.toUtf8(message);
}

describe("an account's name and id", () => {
  it("are set once, are its own, and are read as TronWeb reads them", async () => {
    expect(await sent(shop, "updateAccount", "shop")).toBe("");
    expect(await sent(shop, "setAccountId", hexOf("Shop-0001"))).toBe("");
    await devchain.mine(1);
    const refusals = [
      await sent(shop, "updateAccount", "new"),
      await sent(other, "updateAccount", "shop"),
      await sent(shop, "setAccountId", hexOf("shop-0002")),
      await sent(other, "setAccountId", hexOf("SHOP-0001")),
      await sent(other, "setAccountId", hexOf("with space")),
    ];
    expect(refusals).toEqual(
      [
        "This account name is already existed",
        "This name is existed",
        "This account id already set",
        "This id has existed",
        "Invalid accountId",
      ].map((text) => `Contract validate error : ${text}`),
    );
    const found = await shop.trx.getUnconfirmedAccountById(hexOf("shop-0001"));
    const [account_name, account_id] = [hexOf("shop"), hexOf("Shop-0001")].map((hex) => hex.slice(2));
    expect(found).toMatchObject({ address: SHOP.address, account_name, account_id });
    expect(await shop.trx.getAccountById(hexOf("shop-0001"))).toEqual({});
    await devchain.mine(SOLID_LAG);
    expect(await shop.trx.getAccountById(hexOf("shop-0001"))).toMatchObject({ account_id });
    const shown = await devchain.post("/wallet/getaccountbyid", { account_id: "Shop-0001", visible: true });
    expect(shown.body).toMatchObject({ account_name: "shop", account_id: "Shop-0001" });
    expect((await devchain.post("/wallet/getaccountbyid", { account_id: "ab" })).body).toEqual({});
  });

  it("are built by the node too, as text where addresses are base58", async () => {
    const owner_address = TronWeb.address.fromHex(OTHER.address);
    const request = { owner_address, account_name: "Süd", visible: true };
    const { body } = await devchain.post("/wallet/updateaccount", request);
    expect(body.raw_data.contract[0]).toMatchObject({
      type: "AccountUpdateContract",
      parameter: { value: { owner_address, account_name: "Süd" } },
    });
    const short = await devchain.post("/wallet/setaccountid", { ...request, account_id: "short" });
    expect(short.body.Error).toContain("Invalid accountId");
  });
});

describe("what the chain does not have", () => {
  it("is an empty list, or nothing: TRC-10 tokens, exchanges and proposals", async () => {
    const { trx, defaultAddress } = shop;
    expect(await trx.listTokens(10, 0)).toEqual([]);
    expect(await trx.getTokensIssuedByAddress(defaultAddress.hex || "")).toEqual({});
    expect(await trx.listExchanges()).toEqual([]);
    expect(await trx.listProposals()).toEqual([]);
    expect((await devchain.get("/walletsolidity/getassetissuebyid?value=1000001")).body).toEqual({});
    expect((await devchain.get("/walletsolidity/listproposals")).status).toBe(404);
  });

  it("has no votes, so no reward; a witness keeps 20 % of rewards", async () => {
    const address = TronWeb.address.fromHex(SHOP.address);
    expect([await shop.trx.getReward(address), await shop.trx.getUnconfirmedReward(address)]).toEqual([0, 0]);
    expect([await shop.trx.getBrokerage(address), await shop.trx.getUnconfirmedBrokerage(address)]).toEqual([
      20, 20,
    ]);
    expect((await devchain.get("/wallet/getReward?address=Tx")).body.Error).toContain("INVALID address");
  });
});

it("witnesses come in parts, and none beyond the last", async () => {
  const { trx } = shop;
  const part = (offset: number, limit: number) => trx.getNowWitnessList({ offset, limit, confirmed: false });
  const all = await trx.listSuperRepresentatives();
  expect((await part(20, 10)).map(({ address }) => address)).toEqual(
    all.slice(20).map(({ address }) => address),
  );
  const beyond = await devchain.post("/walletsolidity/getpaginatednowwitnesslist", { offset: 27, limit: 1 });
  expect(beyond.body).toEqual({});
  const { number } = (await devchain.get("/wallet/getnowblock")).body.block_header.raw_data;
  const { witnesses } = (await devchain.get("/wallet/listwitnesses")).body as {
    witnesses: { totalProduced?: number }[];
  };
  expect(witnesses.reduce((sum, { totalProduced = 0 }) => sum + totalProduced, 0)).toBe(number);
});

describe("a transaction of a type that this chain does not run", () => {
  it("has its signatures weighed, and is printed as it came", async () => {
    const { transactionBuilder: builder, trx } = shop;
    const vote = await builder.vote({ [TronWeb.address.fromHex(OTHER.address)]: 1 }, SHOP.address);
    const signed = await trx.multiSign(vote, SHOP.privateKey, 2);
    expect(signed.raw_data.contract).toEqual([{ ...vote.raw_data.contract[0], Permission_id: 2 }]);
    expect(await trx.getSignWeight(signed)).toMatchObject({
      result: {},
      approved_list: [SHOP.address],
      current_weight: 1,
    });
    await expect(trx.multiSign(vote, OTHER.privateKey, 2)).rejects.toThrow("has no permission to sign");
    const asset = await builder.sendToken(OTHER.address, 1, "1000001", SHOP.address);
    expect((await trx.getSignWeight(asset, 2)).permission).toMatchObject({ id: 2 });
    const bad = await devchain.post("/wallet/getsignweight", { ...vote, raw_data_hex: "0a" });
    expect(bad.body.Error).toContain("raw_data_hex is no transaction");
  });
});

it("a new account's active permission allows to cancel all unfreezing, as on mainnet", async () => {
  const { transactionBuilder: builder, trx } = shop;
  const freezing = await builder.freezeBalanceV2(20_000_000, "ENERGY", SHOP.address);
  await trx.sendRawTransaction(await trx.sign(freezing));
  const unfreezing = await builder.unfreezeBalanceV2(10_000_000, "ENERGY", SHOP.address);
  await trx.sendRawTransaction(await trx.sign(unfreezing));
  await devchain.mine(1);
  const cancel = await builder.cancelUnfreezeBalanceV2(SHOP.address, { permissionId: 2 });
  expect(await trx.sendRawTransaction(await trx.multiSign(cancel, SHOP.privateKey, 2))).toMatchObject({
    result: true,
  });
});

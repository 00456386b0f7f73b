import { checkoutLanguages } from "@daric/domain/checkout";
import type { MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { updateMerchantTerms } from "@daric/merchants/store";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress, aPng, aSettlementAccount } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { createTestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { amplePeopleLimits, aPerson, type Browser, PASSWORD, signedIn } from "@daric/testing/people";
import { aPermittedWallet } from "@daric/testing/permitted-wallet";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let chain: TestChain;
let merchantId: MerchantId;
let owner: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  chain = await startTestChain();
  app = createApp(context, { currentChain: () => chain });
}, 60_000);
afterAll(async () => {
  await app.close();
  await chain.stop();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  owner = await as("owner");
});

const as = async (role: MerchantRole) =>
  signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
const audit = async () =>
  context.db.query<{ action: string; before: object | null; after: object | null; address: string }>(sql`
    select action, before, after, address from audit_log where merchant_id = ${merchantId} order by id`);
const withKey = async (key: string) =>
  (await app.inject({ url: "/v1/deposit-addresses", headers: { "x-api-key": key } })).statusCode;

describe("keys", () => {
  it("are made, work, are rotated and revoked, and only the first answer has the key", async () => {
    const body = { name: "till", scopes: ["charges:read"], expiresIn: "90d" };
    const made = (await owner.send("/dashboard/v1/keys", body)).body.data;
    expect(made).toMatchObject({
      name: "till",
      scopes: ["charges:read"],
      key: expect.stringMatching(/^daric_test_sk_/),
    });
    expect(await withKey(made.key)).toBe(200);
    const rotated = await owner.send(`/dashboard/v1/keys/${made.id}/rotate`, { overlap: "1h" });
    expect(rotated.body.data).toMatchObject({ previous_id: made.id, scopes: ["charges:read"] });
    expect(await withKey(rotated.body.data.key)).toBe(200);
    const revoked = await owner.send(`/dashboard/v1/keys/${rotated.body.data.id}/revoke`, {});
    expect(revoked.body.data.revoked_at).not.toBeNull();
    const list = await owner.send("/dashboard/v1/keys");
    expect(list.body.data).toHaveLength(2);
    expect(list.text).not.toContain(made.key);
    const log = await audit();
    expect(log.map(({ action }) => action)).toEqual(["create key", "rotate key", "revoke key"]);
    expect(JSON.stringify(log)).not.toContain(made.key.split("_")[4]);
  });

  it("of another merchant are not found, by rotate or revoke", async () => {
    const { id } = (await owner.send("/dashboard/v1/keys", {})).body.data;
    merchantId = (await aMerchant(context.db)).id;
    const stranger = await as("owner");
    for (const verb of ["rotate", "revoke"])
      expect((await stranger.send(`/dashboard/v1/keys/${id}/${verb}`, {})).status).toBe(404);
  });

  it("every faulty field is named", async () => {
    const { body } = await owner.send("/dashboard/v1/keys", { name: "a".repeat(121), expiresIn: "soon" });
    expect(body.error.details).toMatchObject([{ path: "name" }, { path: "expiresIn" }]);
  });
});

describe("settings", () => {
  const patch = (browser: Browser, body: object) =>
    browser.send("/dashboard/v1/settings", body, { method: "PATCH" });

  it("are changed by texts as the command line takes them, and the audit log has before and after", async () => {
    const { updated_at: updatedAt } = (await owner.send("/dashboard/v1/settings")).body.data;
    const form = {
      name: "Blue Bottle",
      orderLifetime: "30m",
      underpaymentTolerance: "0.5",
      supportEmail: "help@blue.example",
    };
    const { status, body } = await patch(owner, {
      updatedAt,
      feeMode: "client",
      accentColor: "#AA0000",
      checkoutLanguages: "RU, en",
      ...form,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: "Blue Bottle",
      order_lifetime_seconds: 1800,
      underpayment_tolerance: "0.5",
      fee_mode: "client",
      accent_color: "#aa0000",
      checkout_languages: ["en", "ru"],
      offered_languages: [...checkoutLanguages],
      support_email: "help@blue.example",
    });
    const [entry] = await audit();
    expect(entry).toMatchObject({
      action: "change settings",
      before: { name: "Shop", feeMode: "merchant" },
      after: { name: "Blue Bottle", feeMode: "client" },
    });
  });

  it("the sites that may frame the payment page change by a fresh proof alone, and are in the audit log", async () => {
    const { data } = (await owner.send("/dashboard/v1/settings")).body;
    expect(data).toMatchObject({
      embed_origins: [],
      embed_script: {
        url: expect.stringMatching(/\/embed-\w{16}\.js$/),
        integrity: expect.stringMatching(/^sha384-/),
      },
    });
    const form = { updatedAt: data.updated_at, embedOrigin: "https://shop.example,https://www.shop.example" };
    const path = await patch(owner, { ...form, embedOrigin: "https://shop.example/cart" });
    expect(path.body.error.details).toMatchObject([
      { path: "embedOrigin", rule: { name: "origins", limits: ["10"] } },
    ]);
    await context.owner.query(sql`update sessions set reauthenticated_at = now() - interval '5 minutes'`);
    expect((await patch(owner, form)).body.error.code).toBe("REAUTHENTICATION_REQUIRED");
    await owner.send("/dashboard/v1/session/reauthenticate", { password: PASSWORD });
    const embedOrigins = ["https://shop.example", "https://www.shop.example"];
    expect((await patch(owner, form)).body.data.embed_origins).toEqual(embedOrigins);
    expect(await audit()).toMatchObject([{ before: { embedOrigins: [] }, after: { embedOrigins } }]);
  });

  it("name, address, tax id and time zone need settings:write, currency and accounts books:write", async () => {
    const { data } = (await owner.send("/dashboard/v1/settings")).body;
    expect(data).toMatchObject({
      ...{ legal_name: null, time_zone: "UTC", book_currency: "USD" },
      account_codes: { revenue: "4000", held: "1200" },
    });
    const company = {
      legalName: "Shop GmbH",
      legalAddress: "1 Street\nBerlin",
      taxId: "DE1",
      timeZone: "Europe/Berlin",
    };
    const saved = (await patch(owner, { updatedAt: data.updated_at, ...company })).body.data;
    expect(saved).toMatchObject({
      legal_name: "Shop GmbH",
      legal_address: "1 Street\nBerlin",
      tax_id: "DE1",
    });
    expect(saved.time_zone).toBe("Europe/Berlin");
    const change = (form: object) =>
      owner.send(
        "/dashboard/v1/settings/books",
        { updatedAt: saved.updated_at, ...form },
        { method: "PATCH" },
      );
    const refused = (await change({ bookCurrency: "XYZ", accountCode: "income=1" })).body.error.details;
    expect(refused.map(({ path }: { path: string }) => path)).toEqual(["bookCurrency", "accountCode"]);
    expect(refused[1].message).toContain('has no account "income"');
    const books = (await change({ bookCurrency: "EUR", accountCode: "revenue=8400" })).body.data;
    expect(books).toMatchObject({ book_currency: "EUR", account_codes: { revenue: "8400", held: "1200" } });
    expect((await audit()).at(-1)).toMatchObject({
      before: { bookCurrency: "USD", accountCodes: {} },
      after: { bookCurrency: "EUR", accountCodes: { revenue: "8400" } },
    });
  });

  it("a stale form is refused, and names no field as wrong", async () => {
    const { updated_at: updatedAt } = (await owner.send("/dashboard/v1/settings")).body.data;
    expect((await patch(owner, { updatedAt, name: "One" })).status).toBe(200);
    const { body } = await patch(owner, { updatedAt, name: "Two" });
    expect(body.error).toEqual({ code: "CHANGED_MEANWHILE", docUrl: expect.any(String) });
    expect((await owner.send("/dashboard/v1/settings")).body.data.name).toBe("One");
  });

  it("fee terms and the cap are shown and cannot be changed, neither by the form nor by the service's login", async () => {
    await updateMerchantTerms(ownersDatabase(context.db), merchantId, { feeBasisPoints: 100 });
    const { data } = (await owner.send("/dashboard/v1/settings")).body;
    expect(data.fee_basis_points).toBe(100);
    const sent = await patch(owner, {
      updatedAt: data.updated_at,
      feeBasisPoints: "0",
      activeAddressCap: "1",
      name: "X",
    });
    expect(sent.headers["x-ignored-fields"]).toContain("feeBasisPoints");
    expect(sent.body.data).toMatchObject({ fee_basis_points: 100, active_address_cap: 10_000 });
    const stolen = updateMerchantTerms(context.db, merchantId, { feeBasisPoints: 0 });
    await expect(stolen).rejects.toMatchObject({ code: "42501" });
  });

  it("a logo is stored, shown by the service and removed", async () => {
    const { updated_at: updatedAt } = (await owner.send("/dashboard/v1/settings")).body.data;
    const put = (body: object) => owner.send("/dashboard/v1/settings/logo", body, { method: "PUT" });
    const content = aPng().toString("base64");
    const { data } = (await put({ updatedAt, content })).body;
    expect((await app.inject({ url: data.logo_url })).headers["content-type"]).toBe("image/png");
    const fault = await put({
      updatedAt: data.updated_at,
      content: Buffer.from("no picture").toString("base64"),
    });
    expect(fault.body.error.details).toMatchObject([{ path: "logoFile" }]);
    expect((await put({ updatedAt: data.updated_at })).body.data.logo_url).toBeNull();
  });
});

describe("wallet requests", () => {
  it("wait until the operator adds the account, and never are one", async () => {
    const address = anAddress();
    const asked = await owner.send("/dashboard/v1/wallet-requests", { address, label: "cold" });
    expect(asked.body.data).toMatchObject({
      address,
      status: "waiting",
      permissions: "own",
      command: `daric settlement-account add --merchant ${merchantId} --address ${address}`,
      approve_command: `daric-signer approve --merchant ${merchantId} --address ${address} --permissions own --name NAME --operator-key FILE`,
    });
    const accounts = await context.db.query(
      sql`select from settlement_accounts where merchant_id = ${merchantId}`,
    );
    expect(accounts).toEqual([]);
    await aSettlementAccount(context.db, merchantId, { address });
    expect((await owner.send("/dashboard/v1/wallet-requests")).body.data).toMatchObject([
      { status: "added" },
    ]);
    const url = `/dashboard/v1/wallet-requests/${asked.body.data.id}`;
    expect((await owner.send(url, undefined, { method: "DELETE" })).body.data.status).toBe("withdrawn");
    expect((await owner.send(url, undefined, { method: "DELETE" })).status).toBe(404);
    const wallet = { address, label: "cold", permissions: "own" };
    expect(
      (await audit()).filter(({ action }) => /wallet request|request wallet/.test(action)),
    ).toMatchObject([
      {
        action: "request wallet",
        before: null,
        after: { ...wallet, status: "waiting" },
        address: expect.stringMatching(/^198\.51\.100\./),
      },
      {
        action: "withdraw wallet request",
        before: { address, label: "cold", status: "waiting" },
        after: { address, label: "cold", status: "withdrawn" },
        address: expect.stringMatching(/^198\.51\.100\./),
      },
    ]);
  });

  it("a wallet that other keys may move is asked for only with a confirmation of these keys", async () => {
    const [stranger, wallet] = [anAddress(), await aPermittedWallet(chain, "moved by another key")];
    const lend = (key: string) => wallet.permit({ owner: { [wallet.address]: 1 }, active: { [key]: 1 } });
    await lend(stranger);
    const ask = (permissions?: string) =>
      owner.send("/dashboard/v1/wallet-requests", {
        address: wallet.address,
        ...(permissions && { permissions }),
      });
    const refused = await ask();
    expect([refused.status, refused.body.error.code]).toEqual([409, "WALLET_NOT_CONFIRMED"]);
    const [{ path, message, rule }] = refused.body.error.details;
    const [digest, ...keys] = rule.limits;
    expect([path, rule.name, keys]).toEqual(["permissions", "walletKeys", [stranger, stranger]]);
    expect(message).toContain(`another key, ${stranger}, may move all of it`);
    for (const version of ["own", "0".repeat(32)]) expect((await ask(version)).status).toBe(409);
    expect((await owner.send("/dashboard/v1/wallet-requests")).body.data).toEqual([]);

    const asked = (await ask(digest)).body.data;
    expect(asked.permissions).toBe(digest);
    for (const command of [asked.command, asked.approve_command])
      expect(command).toContain(`--address ${wallet.address} --permissions ${digest}`);
    expect((await audit()).at(-1)?.after).toMatchObject({ permissions: digest });
    await lend(anAddress());
    expect((await ask(digest)).status).toBe(409);
  });

  it("a wallet that must not receive money is refused, and while no node answers none is asked for", async () => {
    const contract = await owner.send("/dashboard/v1/wallet-requests", {
      address: chain.devchain.usdtContract,
    });
    expect(contract.body.error.details).toMatchObject([{ path: "address" }]);
    const cutOff = createApp(context, { currentChain: () => undefined });
    const person = await aPerson(context, { places: [{ merchantId, role: "owner" }] });
    const browser = await signedIn(cutOff, person, merchantId);
    const unvetted = await browser.send("/dashboard/v1/wallet-requests", { address: anAddress() });
    expect([unvetted.status, unvetted.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    await cutOff.close();
  });

  it("a mistyped address is refused, and only owners ask", async () => {
    const { body } = await owner.send("/dashboard/v1/wallet-requests", {
      address: `${anAddress().slice(0, -1)}0`,
    });
    expect(body.error.details).toMatchObject([{ path: "address" }]);
    const admin = await as("admin");
    const refused = await admin.send("/dashboard/v1/wallet-requests", { address: anAddress() });
    expect(refused.body.error.code).toBe("INSUFFICIENT_SCOPE");
  });
});

it("what developers may: keys with their own rights, and no settings", async () => {
  const developer = await as("developer");
  expect((await developer.send("/dashboard/v1/keys", {})).status).toBe(201);
  const viewer = await as("viewer");
  expect((await viewer.send("/dashboard/v1/keys", {})).body.error.code).toBe("INSUFFICIENT_SCOPE");
  const wider = await (await as("admin")).send("/dashboard/v1/keys", { scopes: ["refunds:write"] });
  expect(wider.status).toBe(201);
  const rotated = await developer.send(`/dashboard/v1/keys/${wider.body.data.id}/rotate`, {});
  expect(rotated.body.message).toBe("Your role lacks the right refunds:write.");
  const refused = await developer.send(
    "/dashboard/v1/settings",
    { updatedAt: new Date().toISOString() },
    { method: "PATCH" },
  );
  expect(refused.body.error.code).toBe("INSUFFICIENT_SCOPE");
});

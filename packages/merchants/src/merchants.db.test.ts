import { ApiError } from "@daric/domain/errors";
import { one, sql } from "@daric/postgres/sql";
import { aLogo, aMerchant, aPng, aSettlementAccount } from "@daric/testing/builders";
import { asOwners, createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchant } from "./create-merchant.ts";
import { getMerchant } from "./get-merchant.ts";
import { listMerchants } from "./store.ts";
import { updateMerchant } from "./update-merchant.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = asOwners(await createTestContext());
});
afterAll(() => context.close());

const UNKNOWN_ID = "0192e4a0-0000-7000-8000-000000000000";

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe("createMerchant", () => {
  it("a merchant with only a name has the default terms, which are the table's defaults", async () => {
    const { id, createdAt, updatedAt, ...terms } = await createMerchant(context, { name: "Shop" });
    expect(terms).toEqual({
      name: "Shop",
      logoUrl: null,
      logoId: null,
      supportEmail: null,
      confirmedSupportEmail: null,
      supportUrl: null,
      accentColor: "#0f766e",
      checkoutLanguages: null,
      embedOrigins: [],
      feeMode: "merchant",
      feeBasisPoints: 0,
      feeFixedUsdt: 0n,
      feeFixedTrx: 0n,
      orderLifetimeSeconds: 3_600,
      openLifetimeSeconds: 604_800,
      lateWindowSeconds: 86_400,
      toleranceBasisPoints: 0,
      activeAddressCap: 10_000,
      legalName: null,
      legalAddress: null,
      taxId: null,
      timeZone: "UTC",
      bookCurrency: "USD",
      accountCodes: {},
      suspendedAt: null,
    });
    await context.db.query(sql`insert into merchants (id, name) values (${UNKNOWN_ID}, 'Shop')`);
    const byTable = await getMerchant(context, UNKNOWN_ID);
    expect({ ...byTable, id, createdAt, updatedAt }).toEqual({ ...terms, id, createdAt, updatedAt });
    await context.owner.query(sql`delete from merchants where id = ${UNKNOWN_ID}`);
  });

  it("every term can be given", async () => {
    const merchant = await createMerchant(context, {
      name: "茶 & Co 🍵",
      logoFile: aPng(),
      supportEmail: "help+tron@shop.example",
      supportUrl: "https://shop.example/help?a=1",
      accentColor: "#AABBCC",
      checkoutLanguages: "fa,pt-br",
      embedOrigin:
        "https://shop.example, https://xn--caf-dma.example:8443,https://shop.example,http://localhost:5000",
      feeMode: "client",
      feeBasisPoints: "100",
      feeFixedUsdt: "0.5",
      feeFixedTrx: "1.000001",
      orderLifetime: "120s",
      openLifetime: "2d",
      lateWindow: "2h",
      underpaymentTolerance: "0.5",
      activeAddressCap: "7",
      legalName: " 茶 GmbH ",
      legalAddress: "1 Tea Street\r\n10115 Berlin",
      taxId: "DE 123.456",
      timeZone: "Europe/Berlin",
      bookCurrency: "eur",
      accountCode: "revenue=8400, held=A.1-2_3",
    });
    expect(merchant).toMatchObject({
      name: "茶 & Co 🍵",
      logoUrl: null,
      logoId: expect.stringMatching(/^[0-9a-f]{64}$/),
      supportEmail: "help+tron@shop.example",
      supportUrl: "https://shop.example/help?a=1",
      accentColor: "#aabbcc",
      checkoutLanguages: ["en", "pt-BR", "fa"],
      embedOrigins: ["https://shop.example", "https://xn--caf-dma.example:8443", "http://localhost:5000"],
      feeMode: "client",
      feeBasisPoints: 100,
      feeFixedUsdt: 500_000n,
      feeFixedTrx: 1_000_001n,
      orderLifetimeSeconds: 120,
      openLifetimeSeconds: 172_800,
      lateWindowSeconds: 7_200,
      toleranceBasisPoints: 50,
      activeAddressCap: 7,
      legalName: "茶 GmbH",
      legalAddress: "1 Tea Street\n10115 Berlin",
      taxId: "DE 123.456",
      timeZone: "Europe/Berlin",
      bookCurrency: "EUR",
      accountCodes: { revenue: "8400", held: "A.1-2_3" },
    });
    expect(await getMerchant(context, merchant.id)).toEqual(merchant);
  });

  it("all failing fields are named at once, and nothing is stored", async () => {
    const before = (await listMerchants(context.db)).length;
    const error = await refusal(
      createMerchant(context, {
        name: " ",
        logoUrl: "http://shop.example/logo.svg",
        supportEmail: "help@shop.example?bcc=all@shop.example",
        supportUrl: "http://shop.example",
        accentColor: "red",
        checkoutLanguages: "en,klingon",
        embedOrigin: "https://shop.example/",
        feeMode: "both",
        feeBasisPoints: "1001",
        feeFixedUsdt: "-1",
        feeFixedTrx: "0.0000001",
        orderLifetime: "1500ms",
        openLifetime: "forever",
        lateWindow: "0s",
        underpaymentTolerance: "5.01",
        activeAddressCap: "0",
        legalName: "a".repeat(201),
        legalAddress: "a\tb",
        taxId: "a\nb",
        timeZone: "+05:00",
        bookCurrency: "XYZ",
        accountCode: "revenue=8400,income=1",
      }),
    );
    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.details.map(({ path }) => path)).toEqual([
      "name",
      "logoUrl",
      "supportEmail",
      "supportUrl",
      "accentColor",
      "checkoutLanguages",
      "embedOrigin",
      "feeMode",
      "feeBasisPoints",
      "feeFixedUsdt",
      "feeFixedTrx",
      "orderLifetime",
      "openLifetime",
      "lateWindow",
      "underpaymentTolerance",
      "activeAddressCap",
      ...["legalName", "legalAddress", "taxId", "timeZone", "bookCurrency", "accountCode"],
    ]);
    expect(await listMerchants(context.db)).toHaveLength(before);
  });

  it("a lifetime of seconds is allowed on a devnet only", async () => {
    expect(await createMerchant(context, { name: "Shop", orderLifetime: "5s" })).toMatchObject({
      orderLifetimeSeconds: 5,
    });
    const nile = withSettings(context, { chain: { network: "nile" } });
    const error = await refusal(createMerchant(nile, { name: "Shop", orderLifetime: "59s" }));
    expect(error.details).toEqual([
      expect.objectContaining({ path: "orderLifetime", message: expect.stringContaining("at least 60s") }),
    ]);
    await createMerchant(nile, { name: "Shop", orderLifetime: "60s" });
  });

  it("the limits of the product are accepted, one step further is refused", async () => {
    const limits: [object, object][] = [
      [{ name: "🍵".repeat(120) }, { name: "🍵".repeat(121) }],
      [{ feeBasisPoints: "1000" }, { feeBasisPoints: "1001" }],
      [{ underpaymentTolerance: "5" }, { underpaymentTolerance: "5.01" }],
      [{ activeAddressCap: "1" }, { activeAddressCap: "0" }],
      [
        { supportUrl: `https://a.example/${"a".repeat(2_030)}` },
        { supportUrl: `https://a.example/${"a".repeat(2_031)}` },
      ],
      [{ openLifetime: "3650d" }, { openLifetime: "3651d" }],
      [{ feeFixedUsdt: "999999999999.999999" }, { feeFixedUsdt: "1000000000000" }],
    ];
    for (const [within, beyond] of limits) {
      await createMerchant(context, { name: "Shop", ...within });
      const error = await refusal(createMerchant(context, { name: "Shop", ...beyond }));
      expect(error.details.map(({ path }) => path)).toEqual(Object.keys(beyond));
    }
  });

  it("a name with control characters is refused", async () => {
    for (const name of ["a\u001b[31m", "a\u0000", "a\nb"]) {
      expect((await refusal(createMerchant(context, { name }))).code).toBe("VALIDATION_ERROR");
    }
  });
});

describe("updateMerchant", () => {
  it("changes the given terms and keeps the others", async () => {
    const merchant = await aMerchant(context.db, {
      name: "Old",
      logoUrl: "https://a.example/a.png",
      logoId: await aLogo(context.db),
      supportEmail: "help@shop.example",
      feeBasisPoints: 10,
    });
    const renamed = await updateMerchant(context, merchant.id, { name: "New", feeFixedTrx: "2" });
    expect(renamed).toEqual({
      ...merchant,
      name: "New",
      feeFixedTrx: 2_000_000n,
      updatedAt: renamed.updatedAt,
    });
    expect(renamed.updatedAt.getTime()).toBeGreaterThan(merchant.updatedAt.getTime());
    const bare = await updateMerchant(context, merchant.id, {
      logoUrl: "",
      supportEmail: "",
      feeBasisPoints: "0",
    });
    const gone = { logoUrl: null, logoId: null, supportEmail: null };
    expect(bare).toMatchObject({ name: "New", ...gone, feeBasisPoints: 0 });
  });

  it("the fixed fees are whole numbers of units by code", async () => {
    const { id } = await aMerchant(context.db);
    const set = (fees: object) =>
      context.owner.query(sql`update merchants set fixed_fees = ${fees} where id = ${id}`);
    await set({ USDX: 250_000 });
    for (const fees of [{ USDX: -1 }, { USDX: 0.5 }, { USDX: "1" }, { USDX: null }])
      await expect(set(fees)).rejects.toThrow("merchants_fixed_fees_check");
  });

  it("every change of the terms raises their version by one, also concurrent ones", async () => {
    const { id } = await aMerchant(context.db);
    const version = async () =>
      one(
        await context.db.query<{ version: number }>(
          sql`select terms_version as version from merchants where id = ${id}`,
        ),
      ).version;
    expect(await version()).toBe(1);
    await Promise.all(["A", "B", "C"].map((name) => updateMerchant(context, id, { name })));
    expect(await version()).toBe(4);
  });

  it("an unknown merchant and a text that is no id are not found", async () => {
    for (const id of [UNKNOWN_ID, "shop", ""]) {
      expect((await refusal(updateMerchant(context, id, { name: "New" }))).code).toBe("NOT_FOUND");
      expect((await refusal(getMerchant(context, id))).code).toBe("NOT_FOUND");
    }
  });
});

it("a second account keeps the first one as the default", async () => {
  const { id } = await aMerchant(context.db);
  expect(await aSettlementAccount(context.db, id)).toMatchObject({ isDefault: true });
  expect(await aSettlementAccount(context.db, id)).toMatchObject({ isDefault: false });
  const rows = await context.db.query<{ defaults: bigint }>(
    sql`select count(*) as defaults from settlement_accounts where merchant_id = ${id} and is_default`,
  );
  expect(one(rows).defaults).toBe(1n);
});

import type { ApiApp } from "@daric/http/api-app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { aBrowser } from "@daric/testing/people";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";
import { runDaric } from "./daric.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_SIGN_IN_PER_MINUTE: "1000" });
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function daric(...args: string[]) {
  let output = "";
  let errors = "";
  const variables = {
    DATABASE_URL: context.ownerUrl,
    TRON_NETWORK: "devnet",
    DARIC_KEY_PEPPER: context.config.merchants.keyPepper,
    PUBLIC_BASE_URL: "https://pay.example",
  };
  const code = await runDaric([...args, "--json"], {
    variables,
    readInput: async () => "",
    readLines: async function* () {},
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  });
  return { code, errors, data: output === "" ? undefined : JSON.parse(output) };
}

it("people are invited, listed, disabled, enabled and reset from the command line", async () => {
  const { id } = await aMerchant(context.db);
  const place = ["--merchant", id, "--role", "owner"];
  const invited = await daric("people", "invite", "--email", "Ada@Shop.example", ...place, "--by", "root");
  expect(invited.data).toMatchObject({ email: "ada@shop.example", role: "owner", merchantId: id });
  const [base, token] = invited.data.link.split("#");
  expect(base).toBe("https://pay.example/dashboard/link");
  const browser = aBrowser(app);
  const password = "a long and quite unusual sentence";
  await browser.send("/dashboard/v1/links/accept", { token, name: "Ada", password });

  const operator = await daric("people", "invite", "--email", "ada@shop.example", "--operator");
  const accepted = await browser.send("/dashboard/v1/links/accept", {
    token: operator.data.link.split("#")[1],
  });
  expect(accepted.body.data.session.person.is_operator).toBe(true);

  const [row] = (await daric("people", "list")).data;
  expect(row).toMatchObject({ email: "ada@shop.example", isOperator: true, memberships: [`owner of ${id}`] });
  expect((await daric("people", "disable", "ada@shop.example")).data.disabledAt).not.toBeNull();
  expect((await browser.send("/dashboard/v1/session")).status).toBe(401);
  expect((await daric("people", "disable", row.id, "--undo")).data.disabledAt).toBeNull();
  const reset = await daric("people", "reset", "ada@shop.example", "--second-factor");
  const renewed = { token: reset.data.link.split("#")[1], password: "another long sentence" };
  expect((await browser.send("/dashboard/v1/links/accept", renewed)).body.data).toEqual({ session: null });
  expect((await browser.signIn("ada@shop.example", { password: renewed.password })).status).toBe(200);
});

it.each([
  [["invite", "--email", "ada", "--operator"], "email must be an e-mail address"],
  [
    ["invite", "--email", "a@b.example"],
    "role must be one of viewer, accountant, support, cashier, developer, admin, owner with --merchant",
  ],
  [["invite", "--email", "a@b.example", "--operator", "--role", "owner"], "role must be one of"],
  [["invite", "--email", "a@b.example", "--merchant", "x", "--role", "owner"], "merchant must be the id"],
  [["disable", "b@b.example"], "There is no person b@b.example."],
])("daric people %j says what is wrong", async (args, message) => {
  const { code, errors } = await daric("people", ...args);
  expect(code).toBe(1);
  expect(errors).toContain(message);
});

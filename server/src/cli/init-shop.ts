import { CommandError } from "./failure.ts";
import { type InitOptions, merchantQuestion, nameOfOption, walletQuestion } from "./init-questions.ts";
import type { Interview, Question } from "./interview.ts";
import type { RunForService } from "./terminal.ts";

/** Keys of this name open the first order and are revoked at once. */
export const OWN_KEY_NAME = "daric init";

export type FirstShop = {
  readonly merchant: { readonly id: string; readonly name: string };
  readonly wallet: string;
  /** the API key, if it was made now: it is shown once */
  readonly apiKey: string | undefined;
};

type Listed = { readonly id: string; readonly name: string };
type ListedAccount = { readonly address: string; readonly isDefault: boolean };
type ListedKey = {
  readonly name: string | null;
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
};

/** Makes the merchant, its settlement wallet and its key, each if there is none. A failure leaves what was made. */
export async function makeShop(
  run: RunForService,
  { interview, options }: { readonly interview: Interview; readonly options: InitOptions },
): Promise<FirstShop> {
  const daric = <T>(...args: readonly string[]) => run<T>(args);
  const answer = async (question: Question) =>
    given(options, question) ?? (await interview.prompt(question)) ?? "";
  requireUsable(options);
  const merchants = await daric<Listed[]>("merchant", "list");
  const wanted = given(options, merchantQuestion);
  const merchant =
    (wanted === undefined ? merchants.at(-1) : merchants.find(({ name }) => name === wanted)) ??
    (await daric<Listed>("merchant", "create", "--name", await answer(merchantQuestion)));
  const ofMerchant = ["--merchant", merchant.id] as const;
  const accounts = await daric<ListedAccount[]>("settlement-account", "list", ...ofMerchant);
  const used = accounts.find(({ isDefault }) => isDefault);
  const wallet = given(options, walletQuestion);
  if (used && wallet !== undefined && wallet !== used.address)
    throw new CommandError(
      `money of ${merchant.name} goes to ${used.address} already: add another wallet by \`daric settlement-account add\``,
    );
  const { address } =
    used ??
    (await daric<ListedAccount>(
      "settlement-account",
      "add",
      ...ofMerchant,
      "--address",
      await answer(walletQuestion),
    ));
  const keys = await daric<ListedKey[]>("key", "list", ...ofMerchant);
  const made = keys.some(isUsable)
    ? undefined
    : await daric<{ key: string }>("key", "create", ...ofMerchant, "--name", "first key");
  return { merchant: { id: merchant.id, name: merchant.name }, wallet: address, apiKey: made?.key };
}

function given(options: InitOptions, { option }: Question): string | undefined {
  const value = options[nameOfOption(option)];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** @throws CommandError for an unusable option, before anything is made. */
function requireUsable(options: InitOptions): void {
  for (const question of [merchantQuestion, walletQuestion]) {
    const answer = given(options, question);
    const fault = answer === undefined ? undefined : question.faultOf(answer);
    if (fault !== undefined) throw new CommandError(fault);
  }
}

function isUsable({ name, revokedAt, expiresAt }: ListedKey): boolean {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return name !== OWN_KEY_NAME && revokedAt === null && !isOver;
}

import { isEmail } from "@daric/domain/email";
import { CommandError } from "./failure.ts";
import {
  contactQuestion,
  type InitOptions,
  merchantQuestion,
  nameOfOption,
  shopQuestions,
  walletQuestion,
} from "./init-questions.ts";
import type { Interview, Question } from "./interview.ts";
import type { RunForService } from "./terminal.ts";

export type FirstShop = {
  readonly merchant: { readonly id: string; readonly name: string };
  readonly wallet: string;
};

type Listed = {
  readonly id: string;
  readonly name: string;
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
};
type Answering = { readonly interview: Interview; readonly options: InitOptions };
type ListedAccount = { readonly address: string; readonly isDefault: boolean };
type ListedKey = {
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
};

/**
 * Makes the merchant and its settlement wallet, each if there is none. It makes nothing before it has name and
 * wallet. A later failure keeps what is made. Without a name it uses the oldest merchant with a wallet, or else the
 * oldest.
 */
export async function makeShop(run: RunForService, answering: Answering): Promise<FirstShop> {
  const { options } = answering;
  const daric = <T>(...args: readonly string[]) => run<T>(args).catch(nameOwnOptions);
  const answer = async (question: Question) => (await answerOfShop(question, answering)) ?? "";
  const walletOf = async ({ id }: Listed) => {
    const accounts = await daric<ListedAccount[]>("settlement-account", "list", "--merchant", id);
    return accounts.find(({ isDefault }) => isDefault)?.address;
  };
  requireUsable(options);
  const known = await findMerchant(await daric<Listed[]>("merchant", "list"), { options, walletOf });
  const name = known?.name ?? (await answer(merchantQuestion));
  const used = known?.wallet;
  const wallet = used ?? (await answer(walletQuestion));
  const wanted = given(options, walletQuestion);
  if (wanted !== undefined && wanted !== wallet)
    throw new CommandError(
      `money of ${name} goes to ${wallet} already: add another wallet by \`daric settlement-account add\``,
    );
  const contact = await newContact(known, answering);
  const merchant = known ?? (await daric<Listed>("merchant", "create", "--name", name, ...contact));
  if (known && contact.length > 0) await daric("merchant", "update", known.id, ...contact);
  const merchantOption = ["--merchant", merchant.id] as const;
  if (used === undefined) await daric("settlement-account", "add", ...merchantOption, "--address", wallet);
  return { merchant: { id: merchant.id, name: merchant.name }, wallet };
}

/** The options of the contact that the merchant lacks; a contact that it has is changed by its own command. */
async function newContact(known: Listed | undefined, answering: Answering): Promise<string[]> {
  const isSet = (known?.supportEmail ?? known?.supportUrl ?? null) !== null;
  const contact = isSet ? undefined : await answerOfShop(contactQuestion, answering);
  if (contact === undefined) return [];
  return [isEmail(contact) ? "--support-email" : "--support-url", contact];
}

/** The answer by its option, or else by the operator; undefined if it is optional and left out. */
export async function answerOfShop(
  question: Question,
  { interview, options }: Answering,
): Promise<string | undefined> {
  return given(options, question) ?? (await interview.prompt(question));
}

/** Makes the first key of the merchant, which is shown once; undefined if it has a usable one. */
export async function makeKey(run: RunForService, { merchant }: FirstShop): Promise<string | undefined> {
  const merchantOption = ["--merchant", merchant.id] as const;
  const keys = await run<ListedKey[]>(["key", "list", ...merchantOption]);
  if (keys.some(isUsable)) return undefined;
  const made = await run<{ key: string }>(["key", "create", ...merchantOption, "--name", "first key"]);
  return made.key;
}

/** @throws CommandError with the error of another command, but the options of this one. */
function nameOwnOptions(error: unknown): never {
  if (!(error instanceof CommandError)) throw error;
  const message = error.message
    .replaceAll(/(?<![\w-])--name\b/g, merchantQuestion.option)
    .replaceAll(/(?<![\w-])--address\b/g, walletQuestion.option)
    .replaceAll(/(?<![\w-])--support-(email|url)\b/g, contactQuestion.option);
  throw new CommandError(message, error.exitCode);
}

type FoundMerchant = Listed & { readonly wallet: string | undefined };

/** Finds a merchant in the list, newest first. */
async function findMerchant(
  merchants: readonly Listed[],
  {
    options,
    walletOf,
  }: { readonly options: InitOptions; readonly walletOf: (merchant: Listed) => Promise<string | undefined> },
): Promise<FoundMerchant | undefined> {
  const wanted = given(options, merchantQuestion);
  const oldestFirst = merchants.toReversed();
  // Of several merchants of a name the newest counts.
  const some =
    wanted === undefined ? oldestFirst : merchants.filter(({ name }) => name === wanted).slice(0, 1);
  for (const merchant of some) {
    const wallet = await walletOf(merchant);
    if (wallet !== undefined) return { ...merchant, wallet };
  }
  const [first] = some;
  return first && { ...first, wallet: undefined };
}

function given(options: InitOptions, { option }: Question): string | undefined {
  const value = options[nameOfOption(option)];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** @throws CommandError for an unusable option, before anything is made. */
function requireUsable(options: InitOptions): void {
  for (const question of shopQuestions) {
    const answer = given(options, question);
    const fault = answer === undefined ? undefined : question.faultOf(answer);
    if (fault !== undefined) throw new CommandError(fault);
  }
}

function isUsable({ revokedAt, expiresAt }: ListedKey): boolean {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return revokedAt === null && !isOver;
}

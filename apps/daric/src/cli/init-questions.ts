import { isEmail } from "@daric/domain/email";
import { isUrl } from "@daric/domain/url";
import { isAddress } from "@daric/tron/address";
import { type SettingPath, settingAt } from "../process/config.ts";
import { faultOfAnswer, type Question } from "./interview.ts";
import type { OutputOptions } from "./print.ts";

/** The networks of the wizard. A private network is configured by hand. */
export const initNetworks = ["nile", "mainnet", "devnet"] as const;
export type InitNetwork = (typeof initNetworks)[number];

/** The nodes of a first environment on each network, and the question for them. */
const nodesOf: Readonly<Record<InitNetwork, { readonly text: string; readonly preset: string | undefined }>> =
  {
    nile: {
      text: "TRON nodes, first choice first, with commas between",
      preset: "https://nile.trongrid.io",
    },
    mainnet: {
      text:
        "TRON nodes of three different operators (https://api.trongrid.io is one), first choice first, with commas between: " +
        "two of three must give the same answer (TRON_QUORUM=2). A single dishonest node is not detected",
      // For real money the operator chooses the nodes.
      preset: undefined,
    },
    devnet: { text: "The local chain", preset: "http://127.0.0.1:9090" },
  };

/** A question for one setting. */
export type SettingQuestion = Question & { readonly path: SettingPath };
type Asked = Pick<SettingQuestion, "path" | "option" | "text" | "preset" | "isRequired">;

export const networkQuestion: SettingQuestion = {
  ...questionFor({
    path: "chain.network",
    option: "--network",
    text: "Network: nile for tests, mainnet for real money",
    preset: "nile",
    isRequired: true,
  }),
  faultOf: (answer) =>
    initNetworks.some((name) => name === answer)
      ? undefined
      : `${settingAt("chain.network").env} must be one of ${initNetworks.join(", ")} here: other networks are set by hand`,
};

export const merchantQuestion: Question = {
  subject: "the name of the merchant",
  option: "--merchant-name",
  text: "Name of the shop, as payers see it",
  isRequired: true,
  faultOf: () => undefined,
};

export const walletQuestion: Question = {
  subject: "the settlement wallet",
  option: "--wallet",
  text: "Settlement wallet of the merchant (T…), whose key the merchant holds",
  isRequired: true,
  faultOf: (answer = "") =>
    isAddress(answer) ? undefined : "the settlement wallet must be a TRON address, like T…",
};

export const contactQuestion: Question = {
  subject: "the contact of the shop",
  option: "--contact",
  text: "Where customers write to: an e-mail address or an https page (Enter for none)",
  isRequired: false,
  faultOf: (answer = "") =>
    isEmail(answer) || (isUrl(answer) && new URL(answer).protocol === "https:")
      ? undefined
      : "the contact of the shop must be an e-mail address, or an https URL",
};

export const ownerQuestion: Question = {
  subject: "the e-mail address of the owner",
  option: "--owner",
  text: "E-mail address of the shop's owner, for a link into the dashboard (Enter for none)",
  isRequired: false,
  faultOf: (answer = "") =>
    isEmail(answer) ? undefined : "the e-mail address of the owner must be like ada@shop.example",
};

/** The questions about the shop, in their order. */
export const shopQuestions = [merchantQuestion, walletQuestion, contactQuestion, ownerQuestion] as const;

/** The options of the command, by the names of {@link nameOfOption}. */
export type InitOptions = OutputOptions & Readonly<Record<string, string | boolean | undefined>>;

/** The questions for a network, in order. */
export function questionsFor(network: InitNetwork): readonly SettingQuestion[] {
  const optional = (path: SettingPath, option: string, text: string): SettingQuestion =>
    questionFor({ path, option, text: `${text} (Enter for none)`, isRequired: false });
  return [
    questionFor({
      path: "chain.nodeUrls",
      option: "--node-urls",
      ...nodesOf[network],
      isRequired: true,
    }),
    ...(network === "mainnet"
      ? [optional("chain.apiKey", "--api-key", "API key of the gateway to the nodes")]
      : []),
    questionFor({
      path: "runtime.databaseUrl",
      option: "--database-url",
      text: "Database, as the service logs in, like postgres://daric:password@host:5432/daric",
      isRequired: true,
    }),
    optional(
      "runtime.databaseDirectUrl",
      "--database-direct-url",
      "The same database as the owner of its tables",
    ),
    optional(
      "addresses.accountXpub",
      "--xpub",
      "Account xpub, which `daric seed` prints on another computer",
    ),
    optional(
      "http.publicBaseUrl",
      "--base-url",
      "Base URL of the payers' pages, like https://pay.example.com",
    ),
  ];
}

/** The settings without which a later step waits. */
export const awaitedSettings: readonly SettingPath[] = ["addresses.accountXpub", "http.publicBaseUrl"];

function questionFor(asked: Asked): SettingQuestion {
  const { env } = settingAt(asked.path);
  return { ...asked, subject: env, faultOf: (answer) => faultOfAnswer(asked.path, answer) };
}

/** The options with a password or a gateway's key. An xpub cannot move money. */
export function shownSecrets(options: InitOptions): string[] {
  return questionsFor("mainnet").flatMap(({ option, path }) => {
    const given = options[nameOfOption(option)];
    if (typeof given !== "string" || !settingAt(path).secret || path === "addresses.accountXpub") return [];
    return isUrl(given) && new URL(given).password === "" ? [] : [option];
  });
}

/** Commander's name of an option: `--node-urls` is nodeUrls. */
export function nameOfOption(option: string): string {
  return option.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

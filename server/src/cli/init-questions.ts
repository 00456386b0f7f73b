import { isUrl } from "../domain/url.ts";
import { type SettingPath, settingAt } from "../process/config.ts";
import type { Question } from "./interview.ts";
import type { OutputOptions } from "./print.ts";

/** The networks of the wizard: a local chain is `npm start`, and a private one is configured by hand. */
export const initNetworks = ["nile", "mainnet"] as const;
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
  };

export const networkQuestion: Question = {
  path: "chain.network",
  option: "--network",
  text: "Network: nile for tests, mainnet for real money",
  preset: "nile",
  isRequired: true,
};

/** The options of the command, by the names of {@link nameOfOption}. */
export type InitOptions = OutputOptions & Readonly<Record<string, string | boolean | undefined>>;

/** The questions for a network, in order. */
export function questionsFor(network: InitNetwork): readonly Question[] {
  const optional = (path: SettingPath, option: string, text: string): Question => ({
    path,
    option,
    text: `${text} (Enter for none)`,
    isRequired: false,
  });
  return [
    {
      path: "chain.nodeUrls",
      option: "--node-urls",
      ...nodesOf[network],
      isRequired: true,
    },
    ...(network === "mainnet"
      ? [optional("chain.apiKey", "--api-key", "API key of the gateway to the nodes")]
      : []),
    {
      path: "runtime.databaseUrl",
      option: "--database-url",
      text: "Database, as the service logs in, like postgres://daric:password@host:5432/daric",
      isRequired: true,
    },
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entrance } from "./dashboard.ts";
import { type SavedReceiver, withReceiver } from "./receiver.ts";
import type { DemoSettings } from "./settings.ts";
import type { Demo } from "./start-demo.ts";
import { shellQuoted, variablesPath } from "./variables-file.ts";

const GUIDE = new URL("../../../docs/start.md", import.meta.url);

/** The text after a start: the values of this service, and the steps of docs/start.md with these values. They run the saved receiver. */
export function welcome(demo: Demo, receiver: SavedReceiver): string {
  const { baseUrl, merchants, devchain, settings, nodeFault } = demo;
  const chain = devchain && `CHAIN=${devchain.url}`;
  const variables = [`URL=${baseUrl}`, ...(chain ? [chain] : []), `KEY=${merchants.first.apiKey}`];
  return `
  ${nodeFault === undefined ? "Daric is ready." : missingNodeText(demo.settings, nodeFault)}

${entriesOf(demo.dashboard)}  API        ${baseUrl}/v1
  Guide      ${baseUrl}/docs/start      (the first payment; every guide and operation: ${baseUrl}/docs)
  Network    ${settings.network}${devchain ? `: a local TRON chain at ${devchain.url}` : ""}
  Files      ${settings.home}      (logs, database; demo.json and daric.env for scripts; receiver.mjs of step 3)

  In a second terminal:

${indented(variables.join("\n"))}

${withReceiver(stepsOfGuide(devchain !== undefined), receiver, shellQuoted)}
  The command line of the service:

     (. ${shellQuoted(variablesPath(settings.home))}; npx daric rates check)

  Stop with Ctrl-C. The database stays in ${join(settings.home)} for the next start.
`;
}

/** One line for each way into the dashboard that works. */
function entriesOf(dashboard: Entrance | undefined): string {
  if (dashboard === undefined) return "";
  const { url, member, ownerLink, operatorLink } = dashboard;
  const lines = [
    ownerLink === undefined
      ? `  Dashboard  ${url}      (sign in as ${member})`
      : `  Dashboard  ${ownerLink}      (works once: you own the demo merchant)`,
    operatorLink && `  Operator   ${operatorLink}      (works once: you run the service too)`,
  ];
  return lines.map((line) => (line ? `${line}\n` : "")).join("");
}

function missingNodeText({ nodeUrls }: DemoSettings, nodeFault: string): string {
  return `Daric takes orders, but sees no payments yet: ${nodeFault}.
  It keeps asking TRON_NODE_URLS=${nodeUrls}`;
}

/**
 * The numbered steps of the guide and their commands. Only a local chain has a faucet, which the last step
 * uses.
 */
function stepsOfGuide(hasFaucet: boolean): string {
  const [, ...parts] = readFileSync(GUIDE, "utf8").split(/^## (?=\d+\. )/m);
  return (hasFaucet ? parts : parts.slice(0, -1))
    .map((part) => {
      const title = part.slice(0, part.indexOf("\n"));
      const [, commands = ""] = /^```sh\n(.*?)^```/ms.exec(part) ?? [];
      return `  ${title}\n\n${indented(commands.trimEnd())}\n`;
    })
    .join("\n");
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "     ");
}

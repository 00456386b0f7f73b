import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstFreePort } from "./ports.ts";

const GUIDE = new URL("../../../docs/webhooks.md", import.meta.url);
/** The port of the receiver in the guides. */
const GUIDES_PORT = 4000;

/** The receiver of the printed steps. */
export type SavedReceiver = { readonly file: string; readonly port: number };

/** Saves the receiver of docs/webhooks.md in the home, on the first free port from the guides' one on. */
export async function saveReceiver(home: string): Promise<SavedReceiver> {
  const [, code = ""] = /^```js file=receiver\.mjs\n(.*?)^```/ms.exec(readFileSync(GUIDE, "utf8")) ?? [];
  const port = await firstFreePort(GUIDES_PORT);
  const file = join(home, "receiver.mjs");
  writeFileSync(file, code.replace(`.listen(${GUIDES_PORT},`, `.listen(${port},`));
  return { file, port };
}

/** A text of the guides with this receiver: its file and its port. */
export function withReceiver(
  text: string,
  { file, port }: SavedReceiver,
  quoted: (text: string) => string,
): string {
  return text
    .replaceAll("node receiver.mjs", `node ${quoted(file)}`)
    .replaceAll(`127.0.0.1:${GUIDES_PORT}`, `127.0.0.1:${port}`);
}

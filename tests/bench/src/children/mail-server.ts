import { setTimeout as sleep } from "node:timers/promises";
import { tsImport } from "tsx/esm/api";
import type { Done } from "../generator.ts";
import { runOnCommand } from "./serve-commands.ts";

/** A real mail server that takes every mail. The commands wait for mails, counted from the start. */
export type AwaitedMails = { readonly mails: number; readonly withinMs: number };
/** The mails since the start, and how many differ in receiver or order. Mails without an order all differ. */
export type Mailed = Done & { readonly different: number };

type Mail = { readonly to: readonly string[]; readonly raw: string };
type Server = { readonly port: number; readonly received: Mail[] };

// The test helpers are not compiled.
const parts = await tsImport("../../../testing/src/mail-server.ts", import.meta.url);
const server: Server = await parts.openMailServer();
const seen = new Set<string>();
let done = 0;

/** Counts the mails that have come, and forgets their texts. */
function count(): void {
  for (const { to, raw } of server.received.splice(0)) {
    done += 1;
    const text = raw.replaceAll("=\r\n", "");
    seen.add(`${to.join()} ${/\bA-\d+\b/.exec(text)?.[0] ?? done}`);
  }
}

runOnCommand(async ({ mails, withinMs }: AwaitedMails): Promise<Mailed> => {
  const startedMs = performance.now();
  for (count(); done < mails && performance.now() - startedMs < withinMs; count()) await sleep(5);
  return { done, different: seen.size, elapsedMs: performance.now() - startedMs };
}, server.port);

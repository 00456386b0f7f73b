import { roles } from "@daric/runtime/setting";
import { type Command, Option } from "commander";
import type { ServeOptions } from "../main.ts";
import type { Terminal } from "./terminal.ts";

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("run the service, or one part of it as a process of its own, until SIGTERM")
    .addOption(new Option("--role <role>", "the part to run").choices([...roles, "all"]).default("all"))
    .option("--json", "no effect: the log is JSON lines")
    .action(({ role }: { role: string }) => serveUntilStopped({ role, env: terminal.variables }));
}

/**
 * Serves until SIGTERM or SIGINT, then stops in order. SIGTERM, the signal of supervisors, drains first; SIGINT, the signal
 * of a person at a terminal, does not. A second signal ends the process at once.
 *
 * @throws ConfigError or StartError if it cannot start, or if a node later proves to be of another chain.
 */
export async function serveUntilStopped(options: ServeOptions): Promise<void> {
  // Loaded here, so that the other commands do not load the whole service.
  const { serve } = await import("../main.ts");
  const stopping = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(name);
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  const { signal } = stopping;
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    const service = await serve({ ...options, signal });
    const refusal = signal.aborted ? undefined : await Promise.race([service.refused, stopped]);
    if (signal.reason === "SIGTERM") await service.drain();
    await service.stop();
    if (refusal) throw refusal;
  } catch (error) {
    if (!(signal.aborted && error instanceof Error && error.name === "AbortError")) throw error;
  } finally {
    process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
    // A part that did not stop in time must not keep the process alive.
    setTimeout(() => process.exit(), 500).unref();
  }
}

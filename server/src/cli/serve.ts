import { type Command, Option } from "commander";
import { roles } from "../runtime/setting.ts";
import type { Terminal } from "./terminal.ts";

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("run the service, or one part of it as a process of its own, until SIGTERM")
    .addOption(new Option("--role <role>", "the part to run").choices([...roles, "all"]).default("all"))
    .option("--json", "no effect: the log is JSON lines")
    .action(async ({ role }: { role: string }) => {
      // Loaded here, so that the other commands do not load the whole service.
      const { serveUntilStopped } = await import("../serve-until-stopped.ts");
      await serveUntilStopped({ role, env: terminal.variables });
    });
}

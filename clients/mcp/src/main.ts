import { runMcp } from "./run-mcp.ts";

process.exitCode = await runMcp({
  args: process.argv.slice(2),
  variables: process.env,
  say: (line) => process.stderr.write(`daric-mcp: ${line}\n`),
});

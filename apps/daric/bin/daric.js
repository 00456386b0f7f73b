#!/usr/bin/env -S node --
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

// Before anything is loaded: V8 would guess in the first second whether blocks live long (docs/decisions/0018).
setFlagsFromString("--no-allocation-site-pretenuring");

// A reader that has seen enough, such as `head`, ends no command half way.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });

const program = new URL("../dist/cli/daric.js", import.meta.url);

if (existsSync(program)) {
  const { runDaric } = await import(program.href);
  process.exitCode = await runDaric(process.argv.slice(2));
} else {
  process.stderr.write("daric: the program is not built yet: run `npm run build` first\n");
  process.exitCode = 1;
}

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellExports } from "./variables-file.ts";

it("a shell that reads the file exports every variable unchanged, and executes none", () => {
  const variables = {
    A: "it's",
    B: '$(exit 1) `exit 1` "x"',
    C: "a\nb",
    D: "postgres://u:p@127.0.0.1:5/d?x=1&y=#z",
    E: "",
  };
  const script = `${shellExports(variables)}exec "$0" -e 'process.stdout.write(JSON.stringify(process.env))'`;
  const seen = execFileSync("sh", ["-c", script, process.execPath], { env: { PATH: process.env.PATH } });
  expect(JSON.parse(seen.toString())).toMatchObject(variables);
});

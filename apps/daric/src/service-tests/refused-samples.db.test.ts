import { execFile, execFileSync } from "node:child_process";
import type { ApiApp } from "@daric/http/api-app";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApiDocuments } from "../../scripts/openapi/make-documents.ts";
import { createApp } from "../app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let url: string;
beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const languages = [
  { label: "curl", program: "sh", run: (source: string) => ["-c", source] },
  { label: "Node.js", program: "node", run: (source: string) => ["--input-type=module", "-e", source] },
  { label: "Python", program: "python3", run: (source: string) => ["-c", source] },
  { label: "PHP", program: "php", run: (source: string) => ["-r", source.replace("<?php", "")] },
] as const;

function exists(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

for (const { label, program, run } of languages)
  it.skipIf(!exists(program))(`a sample in ${label} prints what a refusal says`, async () => {
    const { api: document } = await makeOpenApiDocuments();
    const samples = document.paths["/v1/deposit-addresses"]?.post?.["x-codeSamples"] ?? [];
    const { source = "" } = samples.find((sample) => sample.label === label) ?? {};
    const env = { ...process.env, DARIC_URL: url, DARIC_API_KEY: "daric_test_sk_unknown" };
    const printed = await new Promise<string>((resolve, reject) =>
      execFile(program, run(source), { env, timeout: 30_000 }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr)),
      ),
    );
    expect(JSON.parse(printed)).toMatchObject({ success: false, message: expect.stringContaining("key") });
  });

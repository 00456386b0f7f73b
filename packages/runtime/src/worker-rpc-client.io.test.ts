import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import { createLogger } from "./logger.ts";
import { createWorkerRpcClient, type WorkerRpcClient } from "./worker-rpc-client.ts";

/** Crashes on 0, fails on 1, and doubles other numbers. */
const source = `import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ id, request }) => {
    if (request === 0) process.exit(1);
    parentPort.postMessage(request === 1 ? { id, failure: "no ones" } : { id, answer: 2 * request });
  });`;

let thread: WorkerRpcClient<number, number>;
afterEach(() => thread.stop());

const log = createLogger({ level: "silent", role: "test" });
const program = () => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

function start(): void {
  thread = createWorkerRpcClient({ log, task: "doubles", program });
}

it("each request gets its own answer, and a failed one does not affect the others", async () => {
  start();
  const impossible = thread.call(1).catch((error: Error) => error.message);
  expect(await Promise.all([thread.call(2), thread.call(3)])).toEqual([4, 6]);
  expect(await impossible).toBe("no ones");
});

it("a crashed thread is replaced; a request that crashes three threads is rejected", async () => {
  start();
  await expect(thread.call(0)).rejects.toThrow("the thread that doubles ended");
  expect(await thread.call(2)).toBe(4);
});

it("stopping rejects open requests and all later ones", async () => {
  start();
  const open = thread.call(2).catch((error: Error) => error.message);
  await thread.stop();
  expect(await open).toContain("ended");
  await expect(thread.call(2)).rejects.toThrow("stopped");
});

it("clients of one program share its thread, and one that stops leaves the others' requests", async () => {
  const answersItsThread = `import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ id }) => parentPort.postMessage({ id, answer: threadId }));`;
  const share = () =>
    createWorkerRpcClient<number, number>({
      log,
      task: "names itself",
      program: () => new URL(`data:text/javascript,${encodeURIComponent(answersItsThread)}`),
    });
  const [first, second] = [share(), share()];
  const threadId = await first.call(0);
  const open = second.call(0);
  await first.stop();
  expect(await open).toBe(threadId);
  expect(await second.call(0)).toBe(threadId);
  await second.stop();
});

it("a request whose transferred memory died with its thread is rejected at once", async () => {
  const sizes: number[] = [];
  const dying = createWorkerRpcClient<number | Uint8Array<ArrayBuffer>, number>({
    log,
    task: "dies",
    program: () => {
      sizes.push(1);
      return new URL(
        "data:text/javascript,import('node:worker_threads').then(({ parentPort }) => parentPort.once('message', () => process.exit(1)))",
      );
    },
    transferablesOf: (question) => (typeof question === "number" ? [] : [question.buffer]),
  });
  const bytes = new Uint8Array(8);
  await expect(dying.call(bytes)).rejects.toThrow("the thread that dies ended");
  expect([bytes.length, sizes.length]).toEqual([0, 1]);
  await dying.stop();
});

it("every request is rejected when no thread can start", async () => {
  const none = createWorkerRpcClient<number, number>({
    log,
    task: "is not there",
    program: () => {
      throw new Error("no such program");
    },
  });
  await expect(none.call(2)).rejects.toThrow("no such program");
  await none.stop();
});

it("a process ends by itself once its requests are answered, and not before", async () => {
  const client = createRequire(import.meta.url).resolve("@daric/runtime/worker-rpc-client");
  const main = `import { createWorkerRpcClient } from ${JSON.stringify(client)};
    const program = () => new URL(${JSON.stringify(program().href)});
    console.log(await createWorkerRpcClient({ task: "doubles", program }).call(2));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", main], {
    timeout: 20_000,
  });
  expect(stdout).toBe("4\n");
});

it("a thread without requests ends after a while, and the next request starts another", async () => {
  const answersItsThread = `import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ id }) => parentPort.postMessage({ id, answer: threadId }));
    // another one than that of the test above`;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    thread = createWorkerRpcClient<number, number>({
      log,
      task: "names itself",
      program: () => new URL(`data:text/javascript,${encodeURIComponent(answersItsThread)}`),
    });
    const first = await thread.call(0);
    vi.advanceTimersByTime(14_000);
    expect(await thread.call(0)).toBe(first);
    vi.advanceTimersByTime(16_000);
    expect(await thread.call(0)).not.toBe(first);
  } finally {
    vi.useRealTimers();
  }
});

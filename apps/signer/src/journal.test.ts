import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { aFolder, aRequest, aSigner, removeFolders } from "../test/builders.ts";
import { appendRecord, createJournal, openJournal, readJournal } from "./journal.ts";
import { type SigningRequest, shareKey } from "./policy.ts";
import { signRequest } from "./sign-request.ts";

afterAll(removeFolders);

const HOUR_MS = 60 * 60_000;

/** A journal with its first line, three entries of the list and two intents: six lines. */
async function aJournal() {
  const signer = await aSigner();
  const request = aRequest(signer);
  signRequest(signer, request);
  signRequest(signer, aRequest(signer, { index: 8, recipient: "operator" }));
  const text = readFileSync(signer.journal.path, "utf8");
  return { signer, request, path: signer.journal.path, text, lines: text.split("\n").slice(0, -1) };
}

it("a reopened journal has the same content", async () => {
  const { signer, path } = await aJournal();
  expect(await openJournal(path)).toEqual(signer.journal);
});

it("a changed line is named, whichever character of it was changed", async () => {
  const { path, lines } = await aJournal();
  for (const [number, line] of lines.entries()) {
    for (let place = 0; place < line.length; place += 37) {
      const changed = line.slice(0, place) + (line[place] === "0" ? "1" : "0") + line.slice(place + 1);
      writeFileSync(path, [...lines.slice(0, number), changed, ...lines.slice(number + 1), ""].join("\n"));
      await expect(openJournal(path)).rejects.toThrow(
        `journal.jsonl line ${number + 1} was changed: its hash is not that of its content`,
      );
    }
  }
});

it("a removed, inserted or moved line is named", async () => {
  const { path, lines } = await aJournal();
  const [one = "", two = "", three = "", ...rest] = lines;
  for (const [changed, number] of [
    [[two, three, ...rest], 1],
    [[one, three, ...rest], 2],
    [[one, one, two, three, ...rest], 2],
    [[one, three, two, ...rest], 2],
    [[one, "", two], 2],
  ] as const) {
    writeFileSync(path, `${changed.join("\n")}\n`);
    await expect(openJournal(path)).rejects.toThrow(`journal.jsonl line ${number} `);
  }
});

it("an incomplete last line after a crash is left out and removed, and its request is signed again", async () => {
  const { signer, path, text, lines } = await aJournal();
  const whole = text.length - (lines.at(-1)?.length ?? 0) - 1;
  for (const cut of [whole + 1, text.length - 80, text.length - 1]) {
    writeFileSync(path, text.slice(0, cut));
    expect((await readJournal(path)).seq).toBe(5);
    expect(statSync(path).size).toBe(cut);
    const journal = await openJournal(path);
    expect(statSync(path).size).toBe(whole);
    appendRecord(journal, { kind: "started", by: "init" }, signer.now);
    expect((await readJournal(path)).seq).toBe(6);
  }
});

it("a journal that is missing or empty is not opened, and an existing one is not begun again", async () => {
  const path = join(aFolder(), "journal.jsonl");
  await expect(openJournal(path)).rejects.toThrow(
    "journal.jsonl is missing: `daric-signer adopt` begins one",
  );
  createJournal(path, "adopt", 0);
  expect(() => createJournal(path, "init", 0)).toThrow("EEXIST");
  writeFileSync(path, "");
  await expect(openJournal(path)).rejects.toThrow("journal.jsonl is empty");
});

it("of two writers of one journal neither signs a second time", async () => {
  const { signer, path } = await aJournal();
  const other = { ...signer, journal: await openJournal(path) };
  expect(signRequest(signer, aRequest(signer, { index: 20 })).refusal).toBeUndefined();
  expect(() => signRequest(other, aRequest(signer, { index: 21 }))).toThrow("written by another process");
  expect(() => signRequest(signer, aRequest(signer, { index: 22 }))).toThrow("written by another process");
});

it("a journal that was deleted or truncated meanwhile prevents signing", async () => {
  for (const spoil of [
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, readFileSync(path, "utf8").slice(0, -10)),
    (path: string) => appendFileSync(path, "\n"),
  ]) {
    const { signer, path } = await aJournal();
    spoil(path);
    expect(() => signRequest(signer, aRequest(signer, { index: 20 }))).toThrow("written by another process");
  }
});

it("intents are kept for two days, and the operator's shares and unused top-ups for ever", async () => {
  const { signer, request } = await aJournal();
  const { merchantId, currency } = request;
  const count = () => signer.journal.intents.length;
  const sign = (index: number, changes: Partial<SigningRequest> = {}) =>
    signRequest(signer, aRequest(signer, { index, ...changes }));
  sign(20, { kind: "top_up" });
  sign(21, { kind: "top_up" });
  sign(21);
  const before = count();
  signer.now += 48 * HOUR_MS;
  sign(30);
  expect(count()).toBe(before + 1);
  signer.now += 1;
  sign(31);
  expect(count()).toBe(2);
  expect([...signer.journal.unusedTopUps.keys()]).toEqual([20]);
  expect(signer.journal.shares.get(shareKey("2026-11", merchantId, currency))).toBe(12_500_000n);
  expect(await openJournal(signer.journal.path)).toEqual(signer.journal);
});

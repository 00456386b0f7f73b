import { expect, it } from "vitest";
import { requoteAndShow } from "./requote.ts";

async function requoted(...answers: (Response | "lost")[]): Promise<string[]> {
  const done: string[] = [];
  await requoteAndShow({
    requote: async () => {
      const answer = answers.shift();
      done.push("requote");
      if (answer === undefined || answer === "lost") throw new TypeError("Failed to fetch");
      return answer;
    },
    refresh: async () => void done.push("refresh"),
    pause: async (ms) => void done.push(`pause ${ms}`),
  });
  return done;
}

it("shows the order's new state after a locked rate and after a final refusal", async () => {
  expect(await requoted(new Response("{}"))).toEqual(["requote", "refresh"]);
  expect(await requoted(new Response("{}", { status: 409 }))).toEqual(["requote", "refresh"]);
});

it("retries without a rate or an answer, after the server's delay, a limited number of times", async () => {
  const unavailable = () => new Response("{}", { status: 503, headers: { "retry-after": "7" } });
  expect(await requoted(unavailable(), "lost", new Response("{}"))).toEqual([
    ...["requote", "pause 7000", "requote", "pause 5000", "requote", "refresh"],
  ]);
  expect((await requoted("lost", "lost", "lost", "lost")).filter((one) => one === "requote")).toHaveLength(4);
});

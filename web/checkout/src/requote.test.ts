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
  expect(await requoted(Response.json({}))).toEqual(["requote", "refresh"]);
  expect(await requoted(Response.json({}, { status: 409 }))).toEqual(["requote", "refresh"]);
});

it("takes no page of a captive portal for an answer", async () => {
  const portal = new Response("<p>Welcome", { headers: { "content-type": "text/html" } });
  expect(await requoted(portal, Response.json({}))).toEqual(["requote", "pause 5000", "requote", "refresh"]);
});

it("retries without a rate or an answer, after the server's delay, a limited number of times", async () => {
  const unavailable = () => Response.json({}, { status: 503, headers: { "retry-after": "7" } });
  expect(await requoted(unavailable(), "lost", Response.json({}))).toEqual([
    ...["requote", "pause 7000", "requote", "pause 5000", "requote", "refresh"],
  ]);
  expect((await requoted("lost", "lost", "lost", "lost")).filter((call) => call === "requote")).toHaveLength(
    4,
  );
});

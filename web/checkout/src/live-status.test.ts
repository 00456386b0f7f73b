import { describe, expect, it } from "vitest";
import { followStatus, type LivePage, waitMs } from "./live-status.ts";
import { type SeenCheckout, seenOf } from "./projection.ts";

const awaiting: SeenCheckout = {
  state: "awaiting",
  order: { payAmount: "25.5", quoteExpiresAt: null },
  payment: { expiresAt: null },
  status: {
    depositStatus: null,
    confirmations: 0,
    requiredConfirmations: 19,
    amountReceived: "0",
    txHash: null,
  },
};
const confirming = (confirmations: number): SeenCheckout => ({
  state: "confirming",
  order: { payAmount: "25.5", quoteExpiresAt: null },
  payment: { expiresAt: null },
  status: {
    depositStatus: "CONFIRMING",
    confirmations,
    requiredConfirmations: 19,
    amountReceived: "25.5",
    txHash: "4b9d",
  },
});

type Answer = (SeenCheckout & { readonly etag?: string }) | "lost" | { status: number; retryAfter?: string };

/**
 * A page and a server without a browser: each poll takes the next answer, and the page is final after the
 * last.
 */
function aPage(
  answers: readonly Answer[],
  options: { pageIsLost?: boolean; isForeign?: boolean; returnsAt?: number } = {},
) {
  const received: string[] = [];
  let latest = awaiting;
  let seen = seenOf(awaiting);
  let polls = 0;
  const page: LivePage = {
    fetchProjection: async () => {
      const answer = answers[polls++];
      if (answer === undefined || answer === "lost") throw new TypeError("Failed to fetch");
      if (!("state" in answer)) {
        const headers = answer.retryAfter === undefined ? {} : { "retry-after": answer.retryAfter };
        return new Response("{}", { status: answer.status, headers });
      }
      const { etag, ...data } = answer;
      latest = data;
      const headers: Record<string, string> = etag === undefined ? {} : { etag };
      return Response.json({ success: true, data }, { headers });
    },
    fetchPage: async () => {
      if (options.pageIsLost) throw new TypeError("Failed to fetch");
      return new Response(`page ${latest.state}`);
    },
    seen: () => seen,
    etag: '"page"',
    isFinal: () => polls >= answers.length,
    isQuiet: () => false,
    showConfirmations: (count) => received.push(`confirmations ${count}`),
    showPage: (markup) => {
      if (options.isForeign) return false;
      seen = seenOf(latest);
      received.push(markup);
      return true;
    },
    takeReturn: () => options.returnsAt === polls,
    showConnection: (isLost) => received.push(isLost ? "lost" : "connected"),
    openSocket: ({ close }) => {
      received.push("socket");
      return { close };
    },
    random: () => 0.5,
    pause: async (ms) => {
      received.push(`pause ${ms}`);
    },
  };
  return { page, received };
}

async function follow(...input: Parameters<typeof aPage>): Promise<string[]> {
  const { page, received } = aPage(...input);
  await followStatus(page);
  return received.slice(1);
}

describe("followStatus", () => {
  it("reloads the page if the projection changes in more than a confirmation", async () => {
    const received = await follow([awaiting, confirming(1), confirming(2), confirming(3)]);
    expect(received.filter((entry) => entry.startsWith("page"))).toEqual(["page confirming"]);
    expect(received.filter((entry) => entry.startsWith("confirmations"))).toEqual([
      "confirmations 0",
      "confirmations 1",
      "confirmations 2",
      "confirmations 3",
    ]);
  });

  it("reloads the page at the last confirmation, and at none after it", async () => {
    const received = await follow([confirming(18), confirming(19), confirming(20), confirming(21)]);
    expect(received.filter((entry) => !/^(pause|connected)/.test(entry))).toEqual([
      ...["confirmations 18", "page confirming", "confirmations 19", "page confirming"],
      ...["confirmations 20", "confirmations 21"],
    ]);
  });

  it("reloads the page for a change outside the projection: another ETag of the same answer", async () => {
    const pagesOf = async (...etags: string[]) => {
      const received = await follow(etags.map((etag) => ({ ...awaiting, etag })));
      return received.filter((entry) => entry.startsWith("page")).length;
    };
    expect(await pagesOf('"page"', '"page"', '"page"')).toBe(0);
    expect(await pagesOf('"page"', '"other"', '"other"')).toBe(1);
    expect(await pagesOf('"other"', '"other"')).toBe(1);
    expect(await pagesOf('"page"', '"a"', '"b"')).toBe(2);
  });

  it("reloads the page after a return, whatever the projection says", async () => {
    const received = await follow([awaiting, awaiting, awaiting], { returnsAt: 1 });
    expect(received.filter((entry) => entry.startsWith("page"))).toEqual(["page awaiting"]);
  });

  it("counts any answer that is not of the service as a failed look", async () => {
    const portal = [{ status: 200 }, { status: 200 }] as const;
    expect((await follow([...portal, awaiting])).filter((entry) => /lost|connected/.test(entry))).toEqual([
      "connected",
      "lost",
      "connected",
    ]);
    const foreignPage = await follow([confirming(1), confirming(1), confirming(1)], { isForeign: true });
    expect(foreignPage).toContain("lost");
  });

  it("slows down without a connection, shows it from the second failure on, and recovers", async () => {
    const received = await follow(["lost", "lost", "lost", { status: 503 }, awaiting, awaiting]);
    expect(received).toEqual([
      ...["pause 3000", "connected"],
      ...["pause 6000", "lost"],
      ...["pause 12000", "lost"],
      ...["pause 24000", "lost"],
      ...["pause 30000", "confirmations 0", "connected"],
      ...["pause 3000", "confirmations 0", "connected"],
    ]);
  });

  it("pauses for as long as the server asks", async () => {
    const received = await follow([{ status: 429, retryAfter: "7" }, awaiting]);
    expect(received.slice(0, 4)).toEqual(["pause 3000", "connected", "pause 7000", "pause 6000"]);
  });

  it("counts a failed reload of the page as a failure, and retries it", async () => {
    const received = await follow([confirming(1), confirming(1)], { pageIsLost: true });
    expect(received.filter((entry) => entry === "lost")).toHaveLength(1);
  });

  it("sends nothing and opens no socket in a final state", async () => {
    const { page, received } = aPage([]);
    await followStatus(page);
    expect(received).toEqual([]);
  });
});

describe("waitMs", () => {
  it("doubles with each failure up to half a minute, and is long for a quiet page", () => {
    expect([0, 1, 2, 3, 4, 50].map((failures) => waitMs(failures, false))).toEqual([
      3_000, 6_000, 12_000, 24_000, 30_000, 30_000,
    ]);
    expect([0, 4].map((failures) => waitMs(failures, true))).toEqual([15_000, 30_000]);
  });
});

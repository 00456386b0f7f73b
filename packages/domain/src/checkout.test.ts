import { describe, expect, it } from "vitest";
import { hasEnded, isInLastBlocks } from "./checkout.ts";

describe("the time to pay", () => {
  it("is over for good once the row has left ACTIVE, which a solid block decides", () => {
    expect(hasEnded({ status: "ACTIVE", isExpired: true })).toBe(false);
    expect(hasEnded({ status: "EXPIRED", isExpired: true })).toBe(true);
    expect(hasEnded({ status: "ARCHIVED", isExpired: true })).toBe(true);
    expect(hasEnded({ status: "ARCHIVED", isExpired: false })).toBe(false);
  });

  it("is in its last blocks while the scanned chain is past expires_at and the solid chain is not", () => {
    expect(isInLastBlocks({ status: "ACTIVE", isTimeOver: false })).toBe(false);
    expect(isInLastBlocks({ status: "ACTIVE", isTimeOver: true })).toBe(true);
    expect(isInLastBlocks({ status: "EXPIRED", isTimeOver: true })).toBe(false);
  });
});

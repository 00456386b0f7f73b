import type { Settlement } from "@daric/sdk/contract";
import type { Tone } from "../../format/payment-state.ts";

export const settlementTones: Readonly<Record<Settlement["status"], Tone>> = {
  OPEN: "progress",
  COMPLETED: "good",
  FAILED: "attention",
};

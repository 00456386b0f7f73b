import { z } from "zod";
import { setting } from "../runtime/setting.ts";

export const merchantSettings = {
  keyPepper: setting({
    env: "DARIC_KEY_PEPPER",
    read: z.string().min(32, "must have at least 32 characters"),
    secret: true,
    default: "required",
    roles: ["api"],
    meaning:
      "The secret under which API keys are hashed. The database refuses another one than its own; `daric secret rotate` replaces it.",
  }),
  previousKeyPepper: setting({
    env: "DARIC_KEY_PEPPER_PREVIOUS",
    read: z.string().min(32, "must have at least 32 characters").optional(),
    secret: true,
    default: "none",
    roles: ["api"],
    meaning:
      "The pepper before this one, while it is rotated: API keys that were made under it work as long as it is set. `daric secret status` lists them.",
  }),
};

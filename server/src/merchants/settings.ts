import { z } from "zod";
import { setting } from "../runtime/setting.ts";

export const merchantSettings = {
  keyPepper: setting({
    env: "DARIC_KEY_PEPPER",
    read: z.string().min(32, "must have at least 32 characters"),
    secret: true,
    default: "required",
    roles: ["api"],
    meaning: "The secret under which API keys are hashed. The database refuses another one than its first.",
  }),
};

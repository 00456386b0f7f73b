import { AccountXpubError, parseAccountXpub } from "@daric/tron/account-xpub";
import { z } from "zod";
import { setting } from "../runtime/setting.ts";

/** The setting stays text, because the deriver's thread parses it. */
const accountXpub = z.string().superRefine((text, issue) => {
  try {
    parseAccountXpub(text);
  } catch (error) {
    const reason = error instanceof AccountXpubError ? error.message : "it cannot be read";
    issue.addIssue({ code: "custom", message: `is refused: ${reason}; \`daric seed\` prints an xpub` });
  }
});

export const addressSettings = {
  accountXpub: setting({
    env: "ACCOUNT_XPUB",
    read: accountXpub,
    secret: true,
    default: "required",
    roles: ["api"],
    meaning:
      "The account extended public key (m/44'/195'/n') that addresses are derived from: one for the life of a database, and of no other database. Never a private key.",
  }),
};

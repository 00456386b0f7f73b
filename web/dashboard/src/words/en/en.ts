import { account } from "./account.ts";
import { common } from "./common.ts";
import { developers } from "./developers.ts";
import { money } from "./money.ts";
import { notifications } from "./notifications.ts";
import { paymentLinks } from "./payment-links.ts";
import { payments } from "./payments.ts";
import { problems } from "./problems.ts";
import { rules } from "./rules.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { story } from "./story.ts";
import { work } from "./work.ts";

/** The English catalogue. It defines the keys and the names of the other languages, which are JSON files. */
export const en = {
  common,
  shell,
  signIn,
  payments,
  paymentLinks,
  story,
  work,
  developers,
  money,
  account,
  notifications,
  problems,
  rules,
};

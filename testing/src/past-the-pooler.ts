/** The only tests of a database that pass no pooler, by what they are about, and why. */
export const pastThePooler = {
  "what one connection keeps":
    "named statements, settings and the process of a connection: a pooler gives every transaction another one",
  "a connection that is cut while idle": "a pooler replaces it, and its clients never hear of it",
  "the pooler itself": "is compared with the server without it",
  migrations: "take their time and the owner's rights: `daric migrate` goes past poolers",
} as const;

export type PastThePooler = keyof typeof pastThePooler;

/** The only tests of a database that pass no pooler, by what they are about, and why. */
export const pastThePooler = {
  "what one connection keeps":
    "named statements, settings and the process of a connection: a pooler gives every transaction another one",
  "a connection that is cut while idle": "a pooler replaces it, and its clients never hear of it",
  "the connections of a process": "a pooler keeps its own to the server when those of its client have ended",
  "the pooler itself": "is compared with the server without it",
} as const;

export type PastThePooler = keyof typeof pastThePooler;

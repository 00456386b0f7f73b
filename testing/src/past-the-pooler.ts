/** The cases in which a test connects past the pooler, with their reasons. */
export const pastThePooler = {
  "the state of one connection":
    "named statements, settings and the process of a connection: a pooler gives every transaction another one",
  "an idle connection that is cut": "a pooler replaces it without its clients noticing",
  "the connections of a process": "a pooler keeps server connections after its clients have left",
  "the pooler itself": "the test compares it with the server",
} as const;

export type PastThePooler = keyof typeof pastThePooler;

/** The cases in which a test connects past the pooler, with their reasons. */
export const pastThePooler = {
  "the state of one connection":
    "named statements, settings and server process belong to a connection, and a pooler gives every transaction another one",
  "an idle connection that is cut": "a pooler replaces the connection, and its clients do not notice",
  "the connections of a process": "a pooler keeps server connections after its clients have left",
  "the pooler itself": "the test compares it with the server",
} as const;

export type PastThePooler = keyof typeof pastThePooler;

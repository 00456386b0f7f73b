/** milliseconds of one slot */
export const SLOT_MS = 3_000;
export const SUN_PER_TRX = 1_000_000n;
export const DAY_MS = 24 * 60 * 60 * 1000;
/** bytes added to a transaction's size for its result (java-tron MAX_RESULT_SIZE_IN_TX) */
export const RESULT_BYTES = 64;
/** bytes (java-tron TRANSACTION_MAX_BYTE_SIZE) */
export const MAX_TRANSACTION_BYTES = 500 * 1024;
/** bytes (java-tron BLOCK_SIZE) */
export const MAX_BLOCK_BYTES = 2_000_000;
/** milliseconds (java-tron MAXIMUM_TIME_UNTIL_EXPIRATION) */
export const MAX_EXPIRATION_MS = 24 * 60 * 60 * 1000;
/** milliseconds: expiration of transactions that a node builds */
export const DEFAULT_EXPIRATION_MS = 60_000;
/** milliseconds between two maintenance periods */
export const MAINTENANCE_MS = 6 * 60 * 60 * 1000;
/** keys of a permission, and signatures of a transaction, at most (java-tron TOTAL_SIGN_NUM) */
export const MAX_SIGNATURES = 5;

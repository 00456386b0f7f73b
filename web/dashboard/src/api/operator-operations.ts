import type { DashboardOperations as Dashboard } from "./dashboard-contract.ts";
import type { Shape } from "./operation-shape.ts";

export type OperatedMerchant = Dashboard["GET /dashboard/v1/operator/merchants"]["answer"][number];
export type OperatedPerson = Dashboard["GET /dashboard/v1/operator/people"]["answer"][number];
export type ServiceLink = Dashboard["GET /dashboard/v1/operator/links"]["answer"][number];

export type AlertRow = Dashboard["GET /dashboard/v1/operator/alerts"]["answer"][number];
export type ChainPast = Dashboard["GET /dashboard/v1/operator/chain"]["answer"];

type NodeBlock = { number: number; age_seconds: number; ago_seconds: number };

/** A node of the chain with its last answers. */
export type NodeStatus = {
  label: string;
  head: NodeBlock | null;
  solid: NodeBlock | null;
  failures: number;
  last_failure: { message: string; ago_seconds: number } | null;
};

/** The price of a coin in a currency. */
export type RateStatus = {
  currency: string;
  fiat_currency: string;
  price: string | null;
  refusal: string | null;
  sources: {
    source: string;
    verdict: string;
    price: string | null;
    age_seconds: number | null;
    why: string | null;
  }[];
};

/** A check; one of another process names it. */
export type CheckStatus = { name: string; ok: boolean; detail: string; process?: string };

export type ErrorStatus = {
  code?: string;
  worker?: string;
  time: string;
  level: string;
  event?: string;
  message: string;
  reason?: string;
};

/** How the process is. A part that it does not know is null, and left out where nothing was asked. */
export type Overview = {
  process?: {
    roles: string[];
    network: string;
    environment: string;
    pid: number;
    host: string;
    uptime_seconds: number;
    versions: { program: string; node: string; schema: number; postgresql: string };
  } | null;
  reading?: {
    leader: { host: string; pid: string } | null;
    scanned: { number: number; age_seconds: number; solid_number: number } | null;
    head: number | null;
  } | null;
  nodes?: NodeStatus[] | null;
  waiting?: {
    webhooks: { due: number; oldest_due_seconds: number; parked: number } | null;
    deposits: Record<string, number> | null;
    addresses_ahead: number | null;
  } | null;
  rates?: RateStatus[] | null;
  settlement?: SettlingStatus | null;
  checks?: CheckStatus[] | null;
  errors?: ErrorStatus[] | null;
  sweeps: {
    open: { status: string; count: number; oldest_seconds: number }[];
    held: { address: string; currency: string; amount: string; status: string; reason: string | null }[];
    gas_of_week: string;
  };
};

/** The resources that pay for transfers to wallets; null in a process that does not settle. */
export type SettlingStatus = {
  /** what it waits for */
  faults: string[];
  accounts: {
    gas: string;
    is_gas_low: boolean;
    stake: { free: string; loans: number } | null;
    /** null where no signer runs */
    signer_silent_seconds: number | null;
  } | null;
};

/** The state of a process has no schema: it is that of `/` on METRICS_PORT. */
export type OverviewOperations = {
  "GET /dashboard/v1/operator/overview": Shape<{ answer: Overview }>;
};

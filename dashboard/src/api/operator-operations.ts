import type { IssuedLink } from "./account-operations.ts";
import type { Shape } from "./operation-shape.ts";
import type { Role } from "./sign-in-operations.ts";

export type OperatedMerchant = {
  id: string;
  name: string;
  fee_mode: "merchant" | "client";
  fee_basis_points: number;
  fee_fixed: { USDT: string; TRX: string };
  active_address_cap: number;
  suspended_at: string | null;
  created_at: string;
  updated_at: string;
};

export type OperatedPerson = {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  disabled_at: string | null;
  has_second_factor: boolean;
  memberships: { merchant_id: string; role: Role }[];
};

export type WorstEndpoint = {
  merchant_id: string;
  endpoint_id: string;
  due_at: string;
  waiting_seconds: number;
  url: string;
  last_error: string | null;
  last_status_code: number | null;
};

type NodeBlock = { number: number; age_seconds: number; ago_seconds: number };

/** A node of the chain with its last answers. */
export type NodeStatus = {
  label: string;
  head: NodeBlock | null;
  solid: NodeBlock | null;
  failures: number;
  last_failure: { message: string; ago_seconds: number } | null;
};

export type RateStatus = {
  currency: string;
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

export type CheckStatus = { name: string; ok: boolean; detail: string };

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
    held: unknown[];
    gas_of_week: string;
  };
};

/** What pays for transfers to wallets; null in a process that does not settle. */
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

type ById = { id: string };
type Nothing = Record<string, never>;

/** Operations of the people who run the service. */
export type OperatorOperations = {
  "GET /dashboard/v1/operator/overview": Shape<{ answer: Overview }>;
  "GET /dashboard/v1/operator/merchants": Shape<{ answer: OperatedMerchant[] }>;
  "POST /dashboard/v1/operator/merchants": Shape<{
    body: { name: string; activeAddressCap?: string };
    answer: OperatedMerchant;
  }>;
  "PATCH /dashboard/v1/operator/merchants/{id}": Shape<{
    path: ById;
    body: { updatedAt: string; activeAddressCap: string };
    answer: OperatedMerchant;
  }>;
  "POST /dashboard/v1/operator/merchants/{id}/suspend": Shape<{
    path: ById;
    body: { reason: string };
    answer: OperatedMerchant;
  }>;
  "POST /dashboard/v1/operator/merchants/{id}/resume": Shape<{
    path: ById;
    body: { reason: string };
    answer: OperatedMerchant;
  }>;
  "POST /dashboard/v1/operator/invitations": Shape<{
    body: { email: string; merchantId?: string; role?: Role };
    answer: IssuedLink & { expires_at: string };
  }>;
  "GET /dashboard/v1/operator/people": Shape<{ answer: OperatedPerson[] }>;
  "POST /dashboard/v1/operator/people/{id}/disable": Shape<{
    path: ById;
    body: Nothing;
    answer: OperatedPerson;
  }>;
  "POST /dashboard/v1/operator/people/{id}/enable": Shape<{
    path: ById;
    body: Nothing;
    answer: OperatedPerson;
  }>;
  "POST /dashboard/v1/operator/people/{id}/reset": Shape<{
    path: ById;
    body: { secondFactor?: boolean };
    answer: IssuedLink & { expires_at: string };
  }>;
  "GET /dashboard/v1/operator/endpoints": Shape<{ answer: WorstEndpoint[] }>;
};

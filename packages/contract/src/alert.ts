import { z } from 'zod';
import { StateType } from './state.ts';

const id = z
  .string()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}$/,
    'must have 1 to 100 letters, digits, "-" and "_", and start with a letter or digit',
  );
const duration = z
  .string()
  .max(40)
  .regex(
    /^P(?=\w)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
    'must be an ISO 8601 duration such as "PT10M" or "P1D"',
  );
/** A value that is stored encrypted and never returned, or an expression such as `{{ secret('NAME') }}`. */
const secretText = z.string().min(1).max(4_000);

/** Stands for a stored secret in responses; sent back, it keeps the stored value. */
export const hiddenSecret = '********';

const channel = { id, description: z.string().max(1_000).optional() };

export const AlertChannel = z.discriminatedUnion('type', [
  z.strictObject({
    ...channel,
    type: z.literal('mail'),
    host: z.string().min(1).max(300),
    port: z.number().int().min(1).max(65_535).optional(),
    transport: z.enum(['SMTPS', 'SMTP_TLS', 'SMTP']).default('SMTPS'),
    username: z.string().max(300).optional(),
    password: secretText.optional(),
    from: z.string().min(1).max(300),
    to: z.array(z.string().min(1).max(300)).min(1).max(100),
  }),
  z.strictObject({ ...channel, type: z.literal('slack'), url: secretText }),
  z.strictObject({ ...channel, type: z.literal('discord'), url: secretText }),
  z.strictObject({ ...channel, type: z.literal('teams'), url: secretText }),
  z.strictObject({
    ...channel,
    type: z.literal('pagerduty'),
    routingKey: secretText,
    /** Another address of the Events API, such as the one of the EU region. */
    url: z.string().max(2_000).optional(),
  }),
  z.strictObject({
    ...channel,
    type: z.literal('webhook'),
    url: secretText,
    /** The key of the HMAC-SHA256 signature of each body. */
    signingSecret: secretText.optional(),
    /** The `Authorization` header of each request. */
    authorization: secretText.optional(),
  }),
]);
export type AlertChannel = z.infer<typeof AlertChannel>;
export type AlertChannelType = AlertChannel['type'];

/** The properties of a channel that are never returned. */
export const channelSecrets: Readonly<Record<AlertChannelType, readonly string[]>> = {
  mail: ['password'],
  slack: ['url'],
  discord: ['url'],
  teams: ['url'],
  pagerduty: ['routingKey'],
  webhook: ['url', 'signingSecret', 'authorization'],
};

/** A channel with the outcome of its last messages. */
export const AlertChannelView = z.object({
  channel: AlertChannel,
  updatedAt: z.iso.datetime(),
  /** Present while messages cannot be delivered. */
  failing: z.object({ since: z.iso.datetime(), error: z.string(), waiting: z.number().int() }).optional(),
  lastSentAt: z.iso.datetime().optional(),
});
export type AlertChannelView = z.infer<typeof AlertChannelView>;

/** The situation that a rule reports. */
export const AlertCondition = z.discriminatedUnion('type', [
  /** An execution reaches one of these states. */
  z.strictObject({ type: z.literal('state'), states: z.array(StateType).min(1).default(['FAILED']) }),
  /** An SLA of a flow is violated. */
  z.strictObject({ type: z.literal('sla') }),
  /** A schedule should have started an execution this long ago. */
  z.strictObject({ type: z.literal('late'), after: duration.default('PT5M') }),
  /** An execution runs longer than `factor` times the usual duration of its flow, and at least this long. */
  z.strictObject({
    type: z.literal('duration'),
    factor: z.number().min(1.1).max(1_000).default(2),
    atLeast: duration.default('PT1M'),
  }),
  /** This share of the executions that started within the window failed. */
  z.strictObject({
    type: z.literal('failureRate'),
    percent: z.number().min(1).max(100).default(50),
    window: duration.default('PT1H'),
    minExecutions: z.number().int().min(1).max(1_000_000).default(5),
  }),
  /** No execution started for this long. */
  z.strictObject({ type: z.literal('noRun'), for: duration.default('P1D') }),
]);
export type AlertCondition = z.infer<typeof AlertCondition>;

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "22:00"');

/** Messages of this time wait until it ends. `from` after `to` spans midnight; `days` are those of `from`. */
export const QuietHours = z.strictObject({
  from: clockTime,
  to: clockTime,
  timeZone: z.string().max(100).default('UTC'),
  days: z.array(z.enum(weekdays)).min(1).optional(),
});
export type QuietHours = z.infer<typeof QuietHours>;

export const alertSeverities = ['critical', 'error', 'warning', 'info'] as const;
export const alertGroupings = ['flow', 'cause', 'rule', 'none'] as const;

export const AlertRule = z
  .strictObject({
    id,
    description: z.string().max(1_000).optional(),
    enabled: z.boolean().default(true),
    /** With its children; all namespaces when absent. */
    namespace: z.string().max(150).optional(),
    flowId: z.string().max(100).optional(),
    when: AlertCondition,
    channels: z.array(id).min(1).max(20),
    severity: z.enum(alertSeverities).default('error'),
    /** Events of one flow, one cause or the whole rule share an incident; `none`: one message per event. */
    groupBy: z.enum(alertGroupings).default('flow'),
    /** How long the first message waits for more events of its incident. */
    groupWait: duration.default('PT0S'),
    /** The shortest time between two messages about one incident; absent: only the first is sent. */
    repeatEvery: duration.optional(),
    /** Whether a message tells that the incident has ended. */
    recovery: z.boolean().default(true),
    quietHours: QuietHours.optional(),
  })
  .refine(({ namespace, flowId }) => flowId === undefined || namespace !== undefined, {
    path: ['flowId'],
    message: 'needs "namespace"',
  });
export type AlertRule = z.infer<typeof AlertRule>;

export const AlertRuleView = z.object({
  rule: AlertRule,
  updatedAt: z.iso.datetime(),
  openIncidents: z.number().int(),
});
export type AlertRuleView = z.infer<typeof AlertRuleView>;

/** All channels and rules in one document, as YAML. Stored secrets are hidden. */
export const AlertDocument = z.strictObject({
  channels: z.array(AlertChannel).default([]),
  rules: z.array(AlertRule).default([]),
});
export type AlertDocument = z.infer<typeof AlertDocument>;

/** Something that a rule reports, from its first event until it recovers. */
export const AlertIncident = z.object({
  id: z.string(),
  ruleId: z.string(),
  condition: z.string(),
  severity: z.enum(alertSeverities),
  state: z.enum(['OPEN', 'RECOVERED']),
  title: z.string(),
  message: z.string().optional(),
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  taskId: z.string().optional(),
  triggerId: z.string().optional(),
  /** The last execution that it is about. */
  executionId: z.string().optional(),
  openedAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  recoveredAt: z.iso.datetime().optional(),
  count: z.number().int(),
});
export type AlertIncident = z.infer<typeof AlertIncident>;

export const AlertDelivery = z.object({
  id: z.string(),
  channelId: z.string(),
  ruleId: z.string(),
  incidentId: z.string().optional(),
  kind: z.enum(['opened', 'repeated', 'recovered', 'test']),
  state: z.enum(['PENDING', 'SENT', 'FAILED']),
  title: z.string(),
  createdAt: z.iso.datetime(),
  /** Of a pending message: when it is sent. */
  dueAt: z.iso.datetime().optional(),
  sentAt: z.iso.datetime().optional(),
  attempts: z.number().int(),
  lastError: z.string().optional(),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

import { z } from 'zod';
import {
  AlertChannel,
  AlertChannelView,
  AlertDelivery,
  AlertIncident,
  AlertRule,
  AlertRuleView,
} from '../alert.ts';
import { endpoint } from '../endpoint.ts';
import { Issue } from '../issue.ts';
import { Paging } from '../paging.ts';

const ById = z.object({ id: z.string() });
const Page = z.looseObject({ page: Paging.shape.page, size: Paging.shape.size });
/** Histories have no total: a page that is full may have a next one. */
const listOf = <T extends z.ZodType>(item: T) => z.object({ results: z.array(item), hasMore: z.boolean() });

export const listChannels = endpoint({
  method: 'GET',
  path: '/alerts/channels',
  summary: 'Lists the alert channels with the outcome of their last messages',
  reply: z.object({ results: z.array(AlertChannelView) }),
});

export const saveChannel = endpoint({
  method: 'PUT',
  path: '/alerts/channels/{id}',
  summary: 'Creates or replaces an alert channel; a hidden secret keeps its stored value',
  params: ById,
  body: AlertChannel,
  reply: AlertChannelView,
});

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/alerts/channels/{id}',
  summary: 'Deletes an alert channel that no rule uses',
  params: ById,
});

/** The message is sent within the call, so that the reply has the error of the receiver. */
export const testChannel = endpoint({
  method: 'POST',
  path: '/alerts/channels/{id}/test',
  summary: 'Sends a test message through an alert channel',
  params: ById,
  reply: z.object({ delivered: z.boolean(), error: z.string().optional() }),
});

export const listRules = endpoint({
  method: 'GET',
  path: '/alerts/rules',
  summary: 'Lists the alert rules',
  reply: z.object({ results: z.array(AlertRuleView) }),
});

export const saveRule = endpoint({
  method: 'PUT',
  path: '/alerts/rules/{id}',
  summary: 'Creates or replaces an alert rule',
  params: ById,
  body: AlertRule,
  reply: AlertRuleView,
});

export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/alerts/rules/{id}',
  summary: 'Deletes an alert rule and closes its incidents without a message',
  params: ById,
});

export const listIncidents = endpoint({
  method: 'GET',
  path: '/alerts/incidents',
  summary: 'Lists incidents, the newest first',
  query: Page.extend({ state: z.enum(['OPEN', 'RECOVERED']).default('OPEN') }),
  reply: listOf(AlertIncident),
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/alerts/deliveries',
  summary: 'Lists alert messages, the newest first',
  query: Page.extend({ state: z.enum(['PENDING', 'DONE']).default('DONE') }),
  reply: listOf(AlertDelivery),
});

export const exportAlerts = endpoint({
  method: 'GET',
  path: '/alerts/document',
  summary: 'Reads all channels and rules as one YAML document, with hidden secrets',
  replyKind: 'text',
});

export const importAlerts = endpoint({
  method: 'PUT',
  path: '/alerts/document',
  summary: 'Replaces all channels and rules by those of a YAML document',
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.object({ channels: z.number().int(), rules: z.number().int() }),
});

export const validateAlerts = endpoint({
  method: 'POST',
  path: '/alerts/document/validate',
  summary: 'Checks a YAML document of channels and rules',
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.object({ issues: z.array(Issue) }),
});

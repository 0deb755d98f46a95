import {
  type AlertChannel,
  type AlertChannelView,
  type AlertRule,
  type AlertRuleView,
  AppError,
} from '@millrace/contract';
import { findZone } from '@millrace/engine';
import type { Op, Store } from '@millrace/store';
import type { Alerts } from './alerts.ts';
import {
  deliveryOf,
  findChannel,
  kinds,
  maxDefinitions,
  readChannels,
  readRules,
  type Stored,
} from './records.ts';

export interface DefinitionParts {
  readonly store: Store;
  readonly alerts: Alerts;
  readonly clock: () => number;
}

/** How many waiting messages of a channel are looked at. */
const maxWaiting = 100;

export async function listChannels(parts: DefinitionParts): Promise<AlertChannelView[]> {
  const channels = await readChannels(parts.store);
  const sorted = channels.sort((a, b) => a.value.id.localeCompare(b.value.id));
  return Promise.all(sorted.map((channel) => presentChannel(channel, parts)));
}

export async function saveChannel(
  id: string,
  channel: AlertChannel,
  parts: DefinitionParts,
): Promise<AlertChannelView> {
  checkId(id, channel.id);
  refuse(channelProblems(channel));
  const { store, alerts, clock } = parts;
  const stored = await findChannel(store, id);
  if (!stored && (await readChannels(store)).length >= maxDefinitions) throw tooMany('channels');
  const sealed = await alerts.secrets.seal(channel, stored?.value);
  await store.commit([put(kinds.channel, sealed, clock())]);
  alerts.sender.wake();
  return presentChannel({ value: sealed, version: 0, at: clock() }, parts);
}

export async function deleteChannel(id: string, { store }: DefinitionParts): Promise<void> {
  if (!(await findChannel(store, id))) throw new AppError('not-found', `there is no alert channel "${id}"`);
  const users = (await readRules(store)).filter(({ value }) => value.channels.includes(id));
  if (users.length > 0)
    throw new AppError(
      'illegal-state',
      `the channel "${id}" is used by the rule "${users[0]?.value.id}"; remove it there first`,
    );
  await store.commit([{ op: 'document.delete', kind: kinds.channel, id }]);
}

export async function testChannel(
  id: string,
  { store, alerts }: DefinitionParts,
): Promise<{ delivered: boolean; error?: string }> {
  const channel = await findChannel(store, id);
  if (!channel) throw new AppError('not-found', `there is no alert channel "${id}"`);
  const error = await alerts.sender.test(channel.value);
  return error === undefined ? { delivered: true } : { delivered: false, error };
}

export async function listRules({ store }: DefinitionParts): Promise<AlertRuleView[]> {
  const rules = await readRules(store);
  const sorted = rules.sort((a, b) => a.value.id.localeCompare(b.value.id));
  return Promise.all(sorted.map((rule) => presentRule(rule, store)));
}

export async function saveRule(id: string, rule: AlertRule, parts: DefinitionParts): Promise<AlertRuleView> {
  const { store, alerts, clock } = parts;
  checkId(id, rule.id);
  const known = await readRules(store);
  if (known.length >= maxDefinitions && !known.some(({ value }) => value.id === id)) throw tooMany('rules');
  const channels = new Set((await readChannels(store)).map(({ value }) => value.id));
  refuse(ruleProblems(rule, channels));
  await store.commit([put(kinds.rule, rule, clock())]);
  await alerts.refresh();
  return presentRule({ value: rule, version: 0, at: clock() }, store);
}

export async function deleteRule(id: string, { store, alerts }: DefinitionParts): Promise<void> {
  const known = await store.getDocument(kinds.rule, id);
  if (!known) throw new AppError('not-found', `there is no alert rule "${id}"`);
  await store.commit([{ op: 'document.delete', kind: kinds.rule, id }]);
  await alerts.refresh();
}

/** Replaces all definitions in one commit. */
export async function replaceAll(
  { channels, rules }: { readonly channels: readonly AlertChannel[]; readonly rules: readonly AlertRule[] },
  { store, alerts, clock }: DefinitionParts,
): Promise<void> {
  if (channels.length > maxDefinitions) throw tooMany('channels');
  if (rules.length > maxDefinitions) throw tooMany('rules');
  const before = { channels: await readChannels(store), rules: await readRules(store) };
  const stored = new Map(before.channels.map(({ value }) => [value.id, value]));
  const sealed = await Promise.all(
    channels.map((channel) => alerts.secrets.seal(channel, stored.get(channel.id))),
  );
  const kept = (ids: readonly { readonly id: string }[]) => new Set(ids.map(({ id }) => id));
  const removed = (kind: string, old: readonly Stored<{ id: string }>[], ids: ReadonlySet<string>): Op[] =>
    old.flatMap(({ value }) => (ids.has(value.id) ? [] : [{ op: 'document.delete', kind, id: value.id }]));
  const unchanged = new Set(before.rules.map(({ value }) => JSON.stringify(value)));
  await store.commit([
    ...removed(kinds.channel, before.channels, kept(channels)),
    ...removed(kinds.rule, before.rules, kept(rules)),
    ...sealed.map((channel) => put(kinds.channel, channel, clock())),
    // A rule that did not change keeps its date, which "no run since" counts from.
    ...rules
      .filter((rule) => !unchanged.has(JSON.stringify(rule)))
      .map((rule) => put(kinds.rule, rule, clock())),
  ]);
  await alerts.refresh();
  alerts.sender.wake();
}

export interface DefinitionProblem {
  readonly path: string;
  readonly message: string;
}

/** Problems that the schema cannot express. */
export function channelProblems(channel: AlertChannel): DefinitionProblem[] {
  const urls = channel.type === 'mail' ? [] : ['url' in channel ? channel.url : undefined];
  return urls.flatMap((url) =>
    url === undefined || url.includes('{{') || /^\*+$/.test(url) || isWebAddress(url)
      ? []
      : [{ path: 'url', message: 'must be an http or https address' }],
  );
}

export function ruleProblems(rule: AlertRule, channels: ReadonlySet<string>): DefinitionProblem[] {
  const problems = rule.channels.flatMap((id, index) =>
    channels.has(id) ? [] : [{ path: `channels[${index}]`, message: `there is no alert channel "${id}"` }],
  );
  const zone = rule.quietHours?.timeZone;
  if (zone !== undefined && !findZone(zone))
    problems.push({ path: 'quietHours.timeZone', message: `"${zone}" is not a time zone` });
  const { from, to, days } = rule.quietHours ?? {};
  if (from !== undefined && from === to && days === undefined)
    problems.push({ path: 'quietHours.days', message: 'is needed when "from" and "to" are the same time' });
  return problems;
}

async function presentChannel(
  { value, at }: Stored<AlertChannel>,
  { store, alerts }: DefinitionParts,
): Promise<AlertChannelView> {
  const [waiting, [last]] = await Promise.all([
    store.listDocuments({ kind: kinds.pending, parent: value.id, limit: maxWaiting }),
    store.listDocuments({ kind: kinds.done, parent: value.id, descending: true, limit: 1 }),
  ]);
  const failed = waiting
    .flatMap((each) => deliveryOf(each) ?? [])
    .filter(({ lastError }) => lastError !== undefined);
  const lastDelivery = last && deliveryOf(last);
  const given = lastDelivery?.outcome === 'FAILED' ? lastDelivery : undefined;
  const first = failed[0] ?? given;
  return {
    channel: await alerts.secrets.hide(value),
    updatedAt: iso(at),
    ...(first?.lastError === undefined
      ? {}
      : {
          failing: {
            since: iso(Math.min(...failed.map((each) => each.failingSince ?? at), first.failingSince ?? at)),
            error: first.lastError,
            waiting: failed.length,
          },
        }),
    ...(last && lastDelivery?.outcome === 'SENT' ? { lastSentAt: iso(last.at) } : {}),
  };
}

async function presentRule({ value, at }: Stored<AlertRule>, store: Store): Promise<AlertRuleView> {
  const openIncidents = await store.countDocuments({ kind: kinds.open, parent: value.id, limit: 1_000 });
  return { rule: value, updatedAt: iso(at), openIncidents };
}

const put = (kind: string, value: { readonly id: string }, at: number): Op => ({
  op: 'document.put',
  document: { kind, id: value.id, at, data: value },
});

function checkId(wanted: string, given: string): void {
  if (wanted === given) return;
  const message = `"${given}" is not the id "${wanted}" of the address`;
  throw new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
}

function refuse(problems: readonly DefinitionProblem[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n');
  throw new AppError('invalid-entity', message, { errors: problems });
}

const tooMany = (what: string) =>
  new AppError('illegal-argument', `there can be at most ${maxDefinitions} ${what}`);

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const iso = (at: number): string => new Date(at).toISOString();

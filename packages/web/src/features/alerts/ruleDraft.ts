import { AlertRule } from '@millrace/contract';

/** A rule while it is edited: every field as its input has it. */
export interface RuleDraft {
  readonly id: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly namespace: string;
  readonly flowId: string;
  readonly type: AlertRule['when']['type'];
  readonly states: readonly string[];
  readonly after: string;
  readonly factor: string;
  readonly atLeast: string;
  readonly percent: string;
  readonly window: string;
  readonly minExecutions: string;
  readonly for: string;
  readonly channels: readonly string[];
  readonly severity: AlertRule['severity'];
  readonly groupBy: AlertRule['groupBy'];
  readonly groupWait: string;
  readonly repeatEvery: string;
  readonly recovery: boolean;
  readonly quiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly timeZone: string;
  readonly days: readonly string[];
}

const empty: RuleDraft = {
  id: '',
  description: '',
  enabled: true,
  namespace: '',
  flowId: '',
  type: 'state',
  states: ['FAILED'],
  after: 'PT5M',
  factor: '2',
  atLeast: 'PT1M',
  percent: '50',
  window: 'PT1H',
  minExecutions: '5',
  for: 'P1D',
  channels: [],
  severity: 'error',
  groupBy: 'flow',
  groupWait: 'PT0S',
  repeatEvery: 'PT1H',
  recovery: true,
  quiet: false,
  quietFrom: '22:00',
  quietTo: '07:00',
  timeZone: 'UTC',
  days: [],
};

export function draftOf(rule: AlertRule | undefined, timeZone: string): RuleDraft {
  if (!rule) return { ...empty, timeZone };
  const { when, quietHours } = rule;
  const texts = Object.fromEntries(
    Object.entries(when).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
  return {
    ...empty,
    ...texts,
    id: rule.id,
    description: rule.description ?? '',
    enabled: rule.enabled,
    namespace: rule.namespace ?? '',
    flowId: rule.flowId ?? '',
    channels: rule.channels,
    severity: rule.severity,
    groupBy: rule.groupBy,
    groupWait: rule.groupWait,
    repeatEvery: rule.repeatEvery ?? '',
    recovery: rule.recovery,
    quiet: quietHours !== undefined,
    quietFrom: quietHours?.from ?? empty.quietFrom,
    quietTo: quietHours?.to ?? empty.quietTo,
    timeZone: quietHours?.timeZone ?? timeZone,
    days: quietHours?.days ?? [],
  };
}

/** The rule of a draft, or the names of the fields that are wrong. */
export function readDraft(draft: RuleDraft): { rule: AlertRule } | { wrong: ReadonlySet<string> } {
  const parsed = AlertRule.safeParse({
    id: draft.id,
    ...(draft.description === '' ? {} : { description: draft.description }),
    enabled: draft.enabled,
    ...(draft.namespace === '' ? {} : { namespace: draft.namespace }),
    ...(draft.flowId === '' ? {} : { flowId: draft.flowId }),
    when: conditionOf(draft),
    channels: draft.channels,
    severity: draft.severity,
    groupBy: draft.groupBy,
    groupWait: draft.groupWait,
    ...(draft.repeatEvery === '' ? {} : { repeatEvery: draft.repeatEvery }),
    recovery: draft.recovery,
    ...(draft.quiet
      ? {
          quietHours: {
            from: draft.quietFrom,
            to: draft.quietTo,
            timeZone: draft.timeZone,
            ...(draft.days.length === 0 ? {} : { days: draft.days }),
          },
        }
      : {}),
  });
  if (parsed.success) return { rule: parsed.data };
  return { wrong: new Set(parsed.error.issues.map(({ path }) => fieldOf(path.map(String)))) };
}

function conditionOf(draft: RuleDraft): unknown {
  const { type } = draft;
  switch (type) {
    case 'state':
      return { type, states: draft.states };
    case 'sla':
      return { type };
    case 'late':
      return { type, after: draft.after };
    case 'duration':
      return { type, factor: Number(draft.factor), atLeast: draft.atLeast };
    case 'failureRate':
      return {
        type,
        percent: Number(draft.percent),
        window: draft.window,
        minExecutions: Number(draft.minExecutions),
      };
    case 'noRun':
      return { type, for: draft.for };
  }
}

function fieldOf([first = '', second = '']: readonly string[]): string {
  if (first === 'when') return second;
  if (first !== 'quietHours') return first;
  return { from: 'quietFrom', to: 'quietTo' }[second] ?? second;
}

import type { GraphNode } from '@millrace/contract';
import { controlTypeOf } from '@millrace/engine';
import {
  IconArrowFork,
  IconClock,
  IconHourglass,
  IconRepeat,
  IconRotateClockwise,
  IconShieldCheck,
  IconSitemap,
  IconStack2,
  type TablerIcon,
} from '@tabler/icons-react';
import styles from './nodes.module.css';

export const factIcons: Readonly<Record<FactKind, TablerIcon>> = {
  condition: IconArrowFork,
  schedule: IconClock,
  loop: IconRepeat,
  retry: IconRotateClockwise,
  timeout: IconHourglass,
  concurrency: IconStack2,
  allowFailure: IconShieldCheck,
  subflow: IconSitemap,
};

/** As many as fit beside the name; the hover card has all of them. */
const SHOWN = 2;

/** When, whether and how often a task runs, in a few words on its node. */
export function Facts({ node }: { node: GraphNode | undefined }) {
  const facts = factsOf(node);
  if (facts.length === 0) return null;
  return (
    <span className={styles.facts}>
      {facts.slice(0, SHOWN).map(({ kind, text }) => {
        const Icon = factIcons[kind];
        return (
          <span key={kind + text} className={styles.fact} data-kind={kind}>
            <Icon size={12} stroke={1.8} aria-hidden="true" />
            {kind !== 'allowFailure' && <span className={styles.factText}>{text}</span>}
          </span>
        );
      })}
    </span>
  );
}

type FactKind =
  | 'condition'
  | 'schedule'
  | 'loop'
  | 'retry'
  | 'timeout'
  | 'concurrency'
  | 'allowFailure'
  | 'subflow';

/** A property that decides when, whether or how often a task runs. */
interface Fact {
  readonly kind: FactKind;
  readonly text: string;
}

/** The facts worth showing on a node, the most telling first. */
export function factsOf(node: GraphNode | undefined): readonly Fact[] {
  const definition = node?.task ?? node?.triggerDeclaration;
  if (!definition) return none;
  const facts: Fact[] = [];
  const add = (kind: FactKind, value: unknown) => {
    const text = textOf(value);
    if (text !== undefined) facts.push({ kind, text });
  };
  const { cron, interval, condition, runIf, values, value, retry, timeout, concurrencyLimit, flowId } =
    definition as Readonly<Record<string, unknown>>;
  const control = controlTypeOf(definition.type ?? '');
  if (node?.triggerDeclaration) {
    add('schedule', cron ?? interval);
    return facts;
  }
  add('condition', condition);
  if (control === 'core.flow.Switch') add('condition', value);
  if (control === 'core.flow.ForEach') add('loop', Array.isArray(values) ? `× ${values.length}` : values);
  if (control === 'core.flow.EachSequential' || control === 'core.flow.EachParallel')
    add('loop', Array.isArray(value) ? `× ${value.length}` : value);
  if (control === 'core.flow.Subflow') add('subflow', flowId);
  add('condition', runIf);
  add('concurrency', concurrencyLimit);
  add('retry', retryOf(retry));
  add('timeout', timeout);
  if (definition.allowFailure === true) add('allowFailure', 'allowFailure');
  return facts.length > 0 ? facts : none;
}

const none: readonly Fact[] = [];

/** `3 × PT10S`, as far as both are written. */
function retryOf(retry: unknown): string | undefined {
  if (typeof retry !== 'object' || retry === null) return undefined;
  const { maxAttempts, maxAttempt, interval } = retry as Readonly<Record<string, unknown>>;
  const attempts = textOf(maxAttempts ?? maxAttempt);
  const parts = [attempts && `${attempts} ×`, textOf(interval)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' ') : 'retry';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  // An expression reads better without its braces.
  return value.replace(/^\s*\{\{-?\s*([^{}]*?)\s*-?\}\}\s*$/, '$1').replaceAll(/\s+/g, ' ');
}

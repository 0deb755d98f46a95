import type { GraphNode } from '@millrace/contract';
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
import { type FactKind, factsOf } from './factsOf.ts';
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

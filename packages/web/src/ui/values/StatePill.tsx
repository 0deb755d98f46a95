import type { StateType } from '@millrace/contract';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './StatePill.module.css';

const moving: ReadonlySet<StateType> = new Set(['RUNNING', 'RETRYING', 'KILLING']);

interface StatePillProps {
  state: StateType;
  size?: 'sm' | 'md' | 'lg';
  /** For a state that is past, or that is only named: it does not move. */
  still?: boolean;
}

/** A state as colour, word and shape. Live states turn a little; finished ones are still. */
export function StatePill({ state, size = 'md', still = false }: StatePillProps) {
  const { t } = useTranslation();
  return (
    <span
      className={styles.pill}
      data-size={size}
      data-state={state}
      data-moving={(!still && moving.has(state)) || undefined}
      style={stateColours(state)}
    >
      <StateIcon state={state} size={size === 'lg' ? 14 : 11} className={styles.glyph ?? ''} />
      {t(`state.${state}`)}
    </span>
  );
}

/** The state's four colours under neutral names, for style sheets that paint any state. */
export function stateColours(state: StateType): CSSProperties {
  const name = state.toLowerCase();
  return {
    '--state-text': `var(--mr-state-${name}-text)`,
    '--state-border': `var(--mr-state-${name}-border)`,
    '--state-tint': `var(--mr-state-${name}-tint)`,
    '--state-solid': `var(--mr-state-${name}-solid)`,
  } as CSSProperties; // React's type knows no custom properties.
}

const ring = <circle cx="8" cy="8" r="6" />;
const turn = <path d="M13 4.5v3h-3M12.6 7.4A5 5 0 1 0 13 9.6" />;

/** One shape per state, so that a state can be told without its colour. Drawn on a 16-pixel grid. */
const shapes: Record<StateType, ReactNode> = {
  CREATED: <circle cx="8" cy="8" r="6" strokeDasharray="2.4 2.3" />,
  SUBMITTED: (
    <>
      {ring}
      <path d="M8 10.8V5.4M5.8 7.4 8 5.2l2.2 2.2" />
    </>
  ),
  RESUBMITTED: turn,
  QUEUED: <path d="M3 4.5h10M3 8h10M3 11.5h6" />,
  RUNNING: <path d="M14 8A6 6 0 1 1 8 2" />,
  PAUSED: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.4" />,
  BREAKPOINT: <circle cx="8" cy="8" r="4.4" fill="currentColor" />,
  RESTARTED: turn,
  RETRYING: turn,
  RETRIED: turn,
  KILLING: <rect x="3.2" y="3.2" width="9.6" height="9.6" rx="1.6" />,
  KILLED: <rect x="3.2" y="3.2" width="9.6" height="9.6" rx="1.6" fill="currentColor" />,
  SUCCESS: <path d="m3 8.6 3.3 3.2L13 4.6" strokeWidth="2" />,
  WARNING: (
    <>
      <path d="M8 2.4 14.4 13.4H1.6z" />
      <path d="M8 6.6v3M8 11.6v.1" />
    </>
  ),
  FAILED: <path d="m4 4 8 8M12 4l-8 8" strokeWidth="2" />,
  CANCELLED: (
    <>
      {ring}
      <path d="m4 12 8-8" />
    </>
  ),
  SKIPPED: <path d="m3.5 3.8 5.2 4.2-5.2 4.2zM12.2 3.8v8.4" />,
};

export function StateIcon({
  state,
  size = 12,
  className,
}: {
  state: StateType;
  size?: number;
  className?: string;
}) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapes[state]}
    </svg>
  );
}

import type { StateType } from '@millrace/contract';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { StateGlyph } from './StateGlyph.tsx';
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
      <StateGlyph state={state} size={size === 'lg' ? 14 : 11} className={styles.glyph ?? ''} />
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

import type { Execution } from '@millrace/contract';
import { createContext, type ReactNode, use, useState } from 'react';
import { type Instant, InstantContext } from '../../../ui/instant.ts';

/** An execution as it was at a moment. */
interface PastExecution {
  readonly execution: Execution;
  readonly instant: Instant;
}

const PastContext = createContext<PastExecution | undefined>(undefined);
const ShowContext = createContext<(past: PastExecution | undefined) => void>(() => undefined);

/**
 * Holds the moment that time travel shows. A step of the handle draws only the parts that show it, not the page around
 * them.
 */
export function PastProvider({ children }: { children: ReactNode }) {
  const [past, setPast] = useState<PastExecution>();
  return (
    <ShowContext value={setPast}>
      <PastContext value={past}>{children}</PastContext>
    </ShowContext>
  );
}

/** Shows the execution as it was; undefined shows the present. */
export const useShowPast = () => use(ShowContext);

interface AtMomentProps {
  readonly execution: Execution;
  /** Shown instead of the present until the first moment is there. */
  readonly awaited: ReactNode | undefined;
  readonly children: (shown: Execution, isPast: boolean) => ReactNode;
}

/** A part of the page that shows the execution at the chosen moment, and at present without one. */
export function AtMoment({ execution, awaited, children }: AtMomentProps) {
  const past = use(PastContext);
  if (!past && awaited !== undefined) return awaited;
  return (
    <InstantContext value={past?.instant}>
      {children(past?.execution ?? execution, past !== undefined)}
    </InstantContext>
  );
}

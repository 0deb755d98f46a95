import type { StateType } from '@millrace/contract';
import type { ReactNode } from 'react';

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

export function StateGlyph({
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

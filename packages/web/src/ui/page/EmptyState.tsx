import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  illustration: IllustrationName;
  title: string;
  text?: string | undefined;
  /** The exact words of an error, to read and to copy. */
  detail?: string | undefined;
  action?: ReactNode;
}

export function EmptyState({ illustration, title, text, detail, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <Illustration name={illustration} />
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {detail && <pre className={styles.detail}>{detail}</pre>}
      {action}
    </div>
  );
}

const waves = (y: number) => `M8 ${y}c12-9 22-9 34 0s22 9 34 0 22-9 34 0 22 9 34 0 22-9 34 0 22 9 34 0`;

const wheel = (x: number, y: number, r: number) => {
  const spokes = [0, 30, 60, 90, 120, 150].map((degrees) => {
    const [dx, dy] = [Math.cos((degrees * Math.PI) / 180) * r, Math.sin((degrees * Math.PI) / 180) * r];
    return `M${(x - dx).toFixed(1)} ${(y - dy).toFixed(1)} ${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  });
  const paddles = Array.from({ length: 12 }, (_, index) => {
    const angle = (index * Math.PI) / 6;
    const at = (radius: number) =>
      `${(x + Math.cos(angle) * radius).toFixed(1)} ${(y + Math.sin(angle) * radius).toFixed(1)}`;
    return `M${at(r + 1)} ${at(r + 9)}`;
  });
  return (
    <>
      <circle cx={x} cy={y} r={r} />
      <circle cx={x} cy={y} r={r * 0.72} />
      <circle cx={x} cy={y} r={4} />
      <path d={[...spokes, ...paddles].join('')} />
    </>
  );
};

/** Line drawings of water, wheels and gates in two tones, all 220 by 120. */
const drawings = {
  /** A wheel above its stream: nothing has been built yet. */
  wheel: (
    <>
      <g>{wheel(110, 52, 38)}</g>
      <g className={styles.water}>
        <path d={waves(92)} />
        <path d={waves(104)} opacity="0.5" />
      </g>
    </>
  ),
  /** An open channel, water on its way, no wheel turning: nothing has run. */
  stillWater: (
    <>
      <path d="M20 30v72M200 30v72M12 102h196M20 42h-8M200 42h8" />
      <path d="M60 30v18M110 22v26M160 30v18" opacity="0.5" />
      <g className={styles.water}>
        <path d={waves(66)} />
        <path d={waves(80)} opacity="0.65" />
        <path d={waves(93)} opacity="0.35" />
      </g>
    </>
  ),
  /** A sieve in the stream: the filters let nothing through. */
  sieve: (
    <>
      <path d="M64 24h92v64H64zM64 40h92M64 56h92M64 72h92M87 24v64M110 24v64M133 24v64" />
      <g className={styles.water}>
        <path d="M8 48c9-7 17-7 26 0s14 6 22 3M8 64c9-7 17-7 26 0s14 6 22 3" />
        <path d="M164 60c8-5 14-4 22 0s14 6 26 0" opacity="0.4" />
      </g>
    </>
  ),
  /** A closed gate holding the water back: an error, or no access. */
  closedGate: (
    <>
      <path d="M78 14v92M142 14v92M70 14h80M70 22h80M84 46h52v60H84zM97 46v60M110 30v76M123 46v60M102 30h16" />
      <g className={styles.water}>
        <path d="M6 66c9-7 17-7 26 0s17 7 26 0 9-5 14-4M6 80c9-7 17-7 26 0s17 7 26 0 9-5 14-4M6 94c9-7 17-7 26 0s17 7 26 0 9-5 14-4" />
        <path d="M148 102c9-5 17-5 26 0s17 5 26 0 9-4 14-3" opacity="0.5" />
      </g>
    </>
  ),
  /** A dry bed with a wheel that stands in nothing: the page is not here. */
  dryRace: (
    <>
      <g transform="rotate(-12 78 54)">{wheel(78, 54, 32)}</g>
      <path d="M12 100c22 6 34-2 52 2s30 6 52 0 34-4 52 1 26 3 40-2" />
      <path d="M138 92l8-12 9 12M172 94l5-8 6 8" opacity="0.6" />
      <g className={styles.water}>
        <path d="M186 40c0 6-8 6-8 0 0-4 4-8 4-10 0 2 4 6 4 10z" />
      </g>
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IllustrationName = keyof typeof drawings;
/** `as`: the keys of the object above, which nothing adds to. */
export const illustrationNames = Object.keys(drawings) as IllustrationName[];

export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg
      className={styles.drawing}
      viewBox="0 0 220 120"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}

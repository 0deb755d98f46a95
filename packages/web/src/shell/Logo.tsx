import { useId } from 'react';
import styles from './Logo.module.css';

const wave = 'M1.5 16.6c2.5-2.9 4.7-2.9 6.9-.7s4.7 2.2 7.2 0 4.7-2.2 6.9.7';

/** The mark: a mill wheel crossed by its stream. One colour, taken from the text around it. */
export function Logo({ size = 28, turning = false }: { size?: number; turning?: boolean }) {
  const gap = useId();
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" strokeLinecap="round" aria-hidden="true">
      <mask id={gap}>
        <path d="M-2-2h28v28H-2z" fill="#fff" />
        <path d="M-1 16.6c3.2-3.4 6-3.4 8.7-.6s5.6 2.8 8.6 0 5.6-2.8 8.7.6" stroke="#000" strokeWidth="5" />
      </mask>
      <g mask={`url(#${gap})`}>
        <g className={turning ? styles.turning : undefined} stroke="currentColor" strokeWidth="2">
          <circle cx="12" cy="11.5" r="8.8" />
          <path d="M12 2.7v17.6M4.4 7.1l15.2 8.8M19.6 7.1 4.4 15.9" strokeWidth="1.6" />
        </g>
      </g>
      <path d={wave} stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

import type { ReactNode } from 'react';
import styles from './Demo.module.css';

export type DemoName = 'apps' | 'iam' | 'tenants' | 'instance' | 'auditLogs';

const wave = (y: number) =>
  `M12 ${y}c20-12 38-12 58 0s38 12 58 0 38-12 58 0 38 12 58 0 38-12 58 0 38 12 58 0`;
const card = (x: number, y: number, width: number, height: number) => (
  <rect x={x} y={y} width={width} height={height} rx="8" />
);

/** Line drawings of gates, wheels and channels, 380 by 260, each about its feature. */
const drawings: Record<DemoName, ReactNode> = {
  /** Forms whose buttons open a channel. */
  apps: (
    <>
      {card(40, 30, 130, 160)}
      {card(210, 30, 130, 160)}
      <path d="M58 58h70M58 84h94M58 108h94M58 132h60M228 58h50M228 84h94M228 108h70" />
      <g className={styles.water}>
        <rect x="58" y="152" width="60" height="22" rx="6" />
        <rect x="228" y="152" width="60" height="22" rx="6" />
        <path d={wave(220)} />
        <path d={wave(240)} opacity="0.5" />
      </g>
    </>
  ),
  /** Three people, three gates, some of them open. */
  iam: (
    <>
      {[70, 190, 310].map((x) => (
        <g key={x}>
          <circle cx={x} cy="58" r="20" />
          <path d={`M${x - 34} 118c4-24 18-34 34-34s30 10 34 34z`} />
          <path d={`M${x - 30} 150v60M${x + 30} 150v60M${x - 38} 150h76`} />
        </g>
      ))}
      <path d="M48 168h44v42H48zM62 168v42M78 168v42" />
      <g className={styles.water}>
        <path d={wave(226)} />
        <path d="M164 186c9-6 17-6 26 0s17 6 26 0M284 186c9-6 17-6 26 0s17 6 26 0" />
      </g>
    </>
  ),
  /** One stream that divides into separate channels. */
  tenants: (
    <>
      <path d="M20 118h80v24H20M100 118c40 0 40-70 80-70h180M100 142c40 0 40 70 80 70h180M100 130h260" />
      <path d="M180 24h180v48H180zM180 106h180v48H180zM180 188h180v48H180z" opacity="0.6" />
      <g className={styles.water}>
        <path d="M24 130c9-6 17-6 26 0s17 6 26 0 14-5 22-2" />
        <path d="M196 48c12-8 24-8 36 0s24 8 36 0 24-8 36 0 24 8 36 0M196 130c12-8 24-8 36 0s24 8 36 0 24-8 36 0 24 8 36 0M196 212c12-8 24-8 36 0s24 8 36 0 24-8 36 0 24 8 36 0" />
      </g>
    </>
  ),
  /** Wheels side by side, each with its gauge. */
  instance: (
    <>
      {[80, 190, 300].map((x) => (
        <g key={x}>
          <circle cx={x} cy="90" r="42" />
          <circle cx={x} cy="90" r="6" />
          <path d={`M${x - 42} 90h84M${x} 48v84M${x - 30} 60l60 60M${x + 30} 60l-60 60`} />
          <path d={`M${x - 34} 172h68M${x - 34} 186h44`} opacity="0.6" />
        </g>
      ))}
      <g className={styles.water}>
        <path d={wave(140)} />
        <path d={wave(222)} opacity="0.5" />
      </g>
    </>
  ),
  /** A long scroll on which each line is kept. */
  auditLogs: (
    <>
      <path d="M110 24h160a14 14 0 0 1 14 14v170a22 22 0 0 0 22 22H132a22 22 0 0 1-22-22z" />
      <path d="M140 64h96M140 92h110M140 120h80M140 148h104M140 176h60" />
      <circle cx="126" cy="64" r="3" />
      <circle cx="126" cy="92" r="3" />
      <circle cx="126" cy="120" r="3" />
      <circle cx="126" cy="148" r="3" />
      <g className={styles.water}>
        <path d="M16 120c14-9 26-9 40 0s26 9 40 0M296 120c14-9 26-9 40 0s18 7 28 3" />
        <circle cx="126" cy="176" r="4" />
      </g>
    </>
  ),
};

export function DemoPicture({ name, label }: { name: DemoName; label: string }) {
  return (
    <svg
      className={styles.picture}
      viewBox="0 0 380 260"
      fill="none"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label={label}
    >
      {drawings[name]}
    </svg>
  );
}

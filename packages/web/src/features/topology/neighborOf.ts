import type { GraphLayout, Rectangle } from './layout/layout.ts';
import { taskIdOf } from './toFlowNodes.ts';

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

export const isDirection = (key: string): key is Direction =>
  key === 'ArrowUp' || key === 'ArrowDown' || key === 'ArrowLeft' || key === 'ArrowRight';

/** Weighs a sideways step: a node straight ahead is nearer than one that is closer but beside the way. */
const SIDEWAYS = 3;

/** The task or trigger that an arrow key leads to; containers are reached at their headers. */
export function neighborOf(layout: GraphLayout, uid: string, direction: Direction): string | undefined {
  const targets = placesOf(layout);
  const from = targets.find((target) => target.uid === uid);
  if (!from) return targets[0]?.uid;
  const isVertical = direction === 'ArrowUp' || direction === 'ArrowDown';
  const sign = direction === 'ArrowDown' || direction === 'ArrowRight' ? 1 : -1;
  let best: { uid: string; cost: number } | undefined;
  for (const target of targets) {
    const [ahead, beside] = isVertical
      ? [(target.y - from.y) * sign, Math.abs(target.x - from.x)]
      : [(target.x - from.x) * sign, Math.abs(target.y - from.y)];
    if (ahead <= 1 || target.uid === uid) continue;
    const cost = ahead + beside * SIDEWAYS;
    if (!best || cost < best.cost) best = { uid: target.uid, cost };
  }
  return best?.uid;
}

const HEADER_PX = 38;

/** The middle of each task and of each header. */
function placesOf({ nodes, clusters }: GraphLayout): { uid: string; x: number; y: number }[] {
  const middle = (uid: string, { x, y, width }: Rectangle, height: number) => ({
    uid,
    x: x + width / 2,
    y: y + height / 2,
  });
  return [
    ...clusters.filter(({ header }) => taskIdOf(header)).map((one) => middle(one.uid, one, HEADER_PX)),
    ...nodes.filter(({ node }) => taskIdOf(node)).map((one) => middle(one.uid, one, one.height)),
  ];
}

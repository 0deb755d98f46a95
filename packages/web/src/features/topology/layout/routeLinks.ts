import { linkKey } from './decompose.ts';
import type { Drawing } from './drawing.ts';
import type { PlacedEdge, Point } from './layout.ts';
import type { Link, Scope } from './scope.ts';

type Turn = (along: number, across: number) => Point;

/** Every edge as a path of right angles: down from its source, across just before its target, down into it. */
export function routeLinks(drawing: Drawing, turn: Turn): PlacedEdge[] {
  return drawing.scopes.flatMap((scope) =>
    scope.links.flatMap((link) => routeLink(drawing, scope, link, turn)),
  );
}

function routeLink(drawing: Drawing, scope: Scope, link: Link, turn: Turn): PlacedEdge[] {
  const own = drawing.frames.get(scope.uid);
  const source = drawing.frames.get(link.source);
  const target = drawing.frames.get(link.target);
  const from = source
    ? { along: source.start + source.along, across: source.axis }
    : own && link.source === scope.start && { along: own.inner, across: own.axis };
  const to = target
    ? { along: target.start, across: target.axis }
    : own && link.target === scope.end && { along: own.start + own.along, across: own.axis };
  if (!from || !to) return [];

  const { gapAlong, padding } = drawing.options.metrics;
  const half = Math.min((target ? gapAlong : padding) / 2, Math.max(0, (to.along - from.along) / 2));
  const bend = to.along - half;
  const key = linkKey(link.source, link.target);
  const lane = drawing.lanes.get(key);
  const route = drawing.routes.get(key);
  const path =
    lane !== undefined
      ? [
          from,
          { along: from.along + half, across: from.across },
          { along: from.along + half, across: lane },
          { along: bend, across: lane },
          { along: bend, across: to.across },
          to,
        ]
      : route !== undefined
        ? [from, ...route, to]
        : from.across === to.across
          ? [from, to]
          : [from, { along: bend, across: from.across }, { along: bend, across: to.across }, to];

  const text = labelOf(link);
  const labelAt =
    lane !== undefined
      ? { along: (from.along + to.along) / 2, across: lane }
      : { along: to.along - half * 0.9, across: to.across };
  return [
    {
      id: `${link.edge.source}>${link.edge.target}>${text ?? ''}`,
      edge: link.edge,
      points: path.map(({ along, across }) => turn(along, across)),
      ...(text !== undefined && { label: { ...turn(labelAt.along, labelAt.across), text } }),
    },
  ];
}

function labelOf({ edge }: Link): string | undefined {
  const { relationType, value } = edge.relation;
  if (relationType === 'ERROR') return value ?? 'error';
  return relationType === 'CHOICE' || relationType === 'DYNAMIC' ? value : undefined;
}

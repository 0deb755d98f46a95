import { linkKey } from './freeLayout.ts';
import type { Link, Scope } from './scope.ts';

/** A scope as series and branches; `free` holds what is neither, such as the inside of a Dag. */
export type Block =
  | { readonly kind: 'item'; readonly uid: string }
  | { readonly kind: 'series'; readonly blocks: readonly Block[] }
  | { readonly kind: 'branches'; readonly branches: readonly Branch[] }
  /** The links include those from the fork before and to the meeting after: they need room too. */
  | { readonly kind: 'free'; readonly uids: readonly string[]; readonly links: readonly Link[] };

export interface Branch {
  readonly block: Block;
  /** Error branches stand beside the line and do not pull it off its axis. */
  readonly aside: boolean;
  /** Set when the branch is an edge that passes by the others: `source>target`. */
  readonly bypass?: string;
}

const SOURCE = '\u0000source';
const SINK = '\u0000sink';

/** Splits a scope at its post-dominators: whatever lies between a fork and where its branches meet again. */
export function decompose(scope: Scope): Block {
  const flow = readFlow(scope);
  return series(flow, SOURCE, SINK);
}

interface FlowView {
  readonly next: ReadonlyMap<string, readonly string[]>;
  readonly aside: ReadonlySet<string>;
  readonly meetOf: ReadonlyMap<string, string>;
  readonly links: readonly Link[];
  readonly virtual: ReadonlySet<string>;
}

function readFlow(scope: Scope): FlowView {
  const ports = [scope.start, scope.end].filter((uid): uid is string => uid !== undefined);
  const itemUids = scope.items.map((item) => item.uid);
  const uids = [...itemUids, ...ports.filter((uid) => !itemUids.includes(uid))];
  const next = new Map<string, string[]>(uids.map((uid) => [uid, []]));
  const aside = new Set<string>();
  for (const { source, target, edge } of scope.links) {
    const targets = next.get(source);
    if (!targets || !next.has(target) || targets.includes(target)) continue;
    targets.push(target);
    if (edge.relation.relationType === 'ERROR') aside.add(linkKey(source, target));
  }
  placeTriggersAside(scope, next, aside);
  const order = dropCycles(uids, next);
  const hasPrevious = new Set([...next.values()].flat());
  for (const [source, targets] of next) {
    const isAside = (target: string) => Number(aside.has(linkKey(source, target)));
    targets.sort((a, b) => isAside(a) - isAside(b));
    if (targets.length === 0) targets.push(SINK);
  }
  const first = uids.filter((uid) => !hasPrevious.has(uid));
  next.set(SOURCE, first.length > 0 ? first : [SINK]);
  const meetOf = findMeetings([SOURCE, ...order], next);
  const virtual = new Set([SOURCE, ...ports.filter((uid) => !itemUids.includes(uid))]);
  return { next, aside, meetOf, links: scope.links, virtual };
}

/** The triggers of an expanded subflow stand beside the line from its header, which does not lead to them. */
function placeTriggersAside({ start, items }: Scope, next: Map<string, string[]>, aside: Set<string>): void {
  const afterStart = next.get(start ?? '');
  if (start === undefined || !afterStart || items.some(({ uid }) => uid === start)) return;
  const hasPrevious = new Set([...next.values()].flat());
  for (const { uid } of items) {
    if (hasPrevious.has(uid)) continue;
    afterStart.push(uid);
    aside.add(linkKey(start, uid));
  }
}

/** Depth-first topological order; an edge that closes a circle is left out of the layout. */
function dropCycles(uids: readonly string[], next: Map<string, string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const order: string[] = [];
  for (const root of uids) {
    if (state.has(root)) continue;
    const stack = [{ uid: root, at: 0 }];
    state.set(root, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const targets = next.get(top.uid)!;
      const target = targets[top.at];
      if (target === undefined) {
        state.set(top.uid, 'done');
        order.push(top.uid);
        stack.pop();
      } else if (state.get(target) === 'open') {
        targets.splice(top.at, 1);
      } else {
        top.at += 1;
        if (!state.has(target)) {
          state.set(target, 'open');
          stack.push({ uid: target, at: 0 });
        }
      }
    }
  }
  return order.reverse();
}

/** Immediate post-dominators: for each item the first one that every way onwards passes. */
function findMeetings(
  order: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
): Map<string, string> {
  const rank = new Map(order.map((uid, index) => [uid, index]));
  rank.set(SINK, order.length);
  const meetOf = new Map<string, string>();
  const meet = (a: string, b: string): string => {
    while (a !== b) {
      if (rank.get(a)! < rank.get(b)!) a = meetOf.get(a)!;
      else b = meetOf.get(b)!;
    }
    return a;
  };
  for (const uid of order.toReversed()) meetOf.set(uid, next.get(uid)!.reduce(meet));
  return meetOf;
}

function series(flow: FlowView, from: string, stop: string): Block {
  const blocks: Block[] = [];
  let current = from;
  while (current !== stop && current !== SINK) {
    if (!flow.virtual.has(current)) blocks.push({ kind: 'item', uid: current });
    const targets = flow.next.get(current)!;
    if (targets.length === 1) {
      current = targets[0]!;
      continue;
    }
    const meeting = flow.meetOf.get(current)!;
    blocks.push({ kind: 'branches', branches: forkBranches(flow, current, targets, meeting) });
    current = meeting;
  }
  return { kind: 'series', blocks };
}

/** Branches that share an item cannot stand side by side: they become one free block. */
function forkBranches(flow: FlowView, fork: string, targets: readonly string[], meeting: string): Branch[] {
  const reaches = targets.map((target) => reachable(flow.next, target, meeting));
  const owner = new Map<string, number>();
  const groupOf = targets.map((_, index) => index);
  reaches.forEach((reach, index) => {
    for (const uid of reach) {
      const other = owner.get(uid);
      if (other === undefined) owner.set(uid, index);
      else {
        const keep = groupOf[other]!;
        const drop = groupOf[index]!;
        for (let i = 0; i < groupOf.length; i += 1) if (groupOf[i] === drop) groupOf[i] = keep;
      }
    }
  });
  return [...new Set(groupOf)].map((group) => {
    const members = targets.filter((_, index) => groupOf[index] === group);
    const first = members[0]!;
    const aside = members.every((target) => flow.aside.has(linkKey(fork, target)));
    if (members.length > 1) {
      const uids = new Set(reaches.flatMap((reach, index) => (groupOf[index] === group ? [...reach] : [])));
      const touches = ({ source, target }: Link) =>
        (uids.has(source) && (uids.has(target) || target === meeting)) ||
        (source === fork && uids.has(target));
      const links = flow.links.filter(touches);
      const inOrder = [...flow.next.keys()].filter((uid) => uids.has(uid) && !flow.virtual.has(uid));
      return { block: { kind: 'free', uids: inOrder, links }, aside };
    }
    const block = series(flow, first, meeting);
    return first === meeting ? { block, aside, bypass: linkKey(fork, meeting) } : { block, aside };
  });
}

function reachable(next: ReadonlyMap<string, readonly string[]>, from: string, stop: string): Set<string> {
  const seen = new Set<string>();
  const stack = [from];
  while (stack.length > 0) {
    const uid = stack.pop()!;
    if (uid === stop || uid === SINK || seen.has(uid)) continue;
    seen.add(uid);
    stack.push(...next.get(uid)!);
  }
  return seen;
}

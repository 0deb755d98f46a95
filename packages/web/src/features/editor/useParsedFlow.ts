import type { FlowGraph } from '@millrace/contract';
import { flowGraph, type ParsedFlow, parseFlow } from '@millrace/engine';
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { factsOf } from '../topology/index.ts';

export interface ReadFlow {
  /** The text that was read: for a long text, as it was when typing paused. */
  readonly source: string;
  readonly parsed: ParsedFlow;
  readonly graph: FlowGraph | undefined;
  /** True when the graph belongs to an earlier text, because this one does not parse. */
  readonly isOldGraph: boolean;
}

/** Up to here a text is read and drawn within the frame of its keystroke; longer ones would hold the letters up. */
const AT_ONCE_CHARACTERS = 4000;
/** Longer than the time between two keys of a fast typist: the next key need not wait for the reading of the one before. */
const PAUSE_MS = 150;

/** Reads the text in the browser: a long one when typing pauses. */
export function useParsedFlow(source: string): ReadFlow {
  const read = useReadable(source);
  const lastGraph = useRef<FlowGraph>(undefined);
  return useMemo(() => {
    const parsed = parseFlow(read);
    const drawn = parsed.flow && flowGraph(parsed.flow);
    // A cache, not state: the same text gives an equal graph whatever was read before.
    if (drawn) lastGraph.current = keepGraph(lastGraph.current, drawn);
    return {
      source: read,
      parsed,
      graph: lastGraph.current,
      isOldGraph: !drawn && lastGraph.current !== undefined,
    };
  }, [read]);
}

/** The text itself if it is short, otherwise as it was when it last stayed the same for a moment. */
function useReadable(source: string): string {
  const isLong = source.length > AT_ONCE_CHARACTERS;
  const before = useRef(source);
  if (!isLong) before.current = source;
  const [paused, setPaused] = useState<string>();
  useEffect(() => {
    if (!isLong) return setPaused(undefined);
    const timer = setTimeout(() => startTransition(() => setPaused(source)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, isLong]);
  return isLong ? (paused ?? before.current) : source;
}

/**
 * The old graph if the new one would look the same. Most keystrokes change a property that the picture does
 * not show; they then cost no layout and no drawing.
 */
export const keepGraph = (known: FlowGraph | undefined, next: FlowGraph): FlowGraph =>
  known && lookOf(known) === lookOf(next) ? known : next;

const looks = new WeakMap<FlowGraph, string>();

function lookOf(graph: FlowGraph): string {
  let look = looks.get(graph);
  if (look === undefined) {
    look = JSON.stringify([
      graph.nodes.map((node) => {
        const { uid, type, branchType, task, triggerDeclaration } = node;
        const definition = task ?? triggerDeclaration;
        return [uid, type, branchType, definition?.id, definition?.type, definition?.disabled, factsOf(node)];
      }),
      graph.edges,
      graph.clusters.map(({ cluster, nodes, parents, start, end }) => [
        cluster.uid,
        cluster.branchType,
        nodes,
        parents,
        start,
        end,
      ]),
    ]);
    looks.set(graph, look);
  }
  return look;
}

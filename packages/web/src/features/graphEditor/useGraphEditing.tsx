import { useMediaQuery } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { useContinuedState } from '../../state/continuation.ts';
import type { TextHistory } from '../../state/useTextHistory.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { AskedSchema } from '../forms/index.ts';
import type { Part } from './edits/slot.ts';
import type { FlowDocument } from './flowDocument.ts';

const GraphLayer = lazyPart(() => import('./canvas/GraphLayer.tsx'), 'GraphLayer');
const ElementSheet = lazyPart(() => import('./ElementSheet.tsx'), 'ElementSheet');

interface Editing {
  readonly source: string;
  readonly history: TextHistory;
  readonly schema: AskedSchema;
  readonly issues: readonly Issue[];
  readonly readOnly: boolean | undefined;
  /** The page of the flow, which continues the page that the flow was created on. */
  readonly page: string | undefined;
  readonly selectedId: string | undefined;
  /** Called before an expression is completed for the first time. */
  readonly onComplete: (() => void) | undefined;
  /** Selects a task or trigger in every view of the flow. */
  onSelect(id: string): void;
  /** Shows the form of a task or trigger elsewhere than in the sheet. */
  readonly onOpen: ((id: string) => void) | undefined;
}

interface GraphEditing {
  readonly layer: ReactNode;
  readonly sheet: ReactNode;
  /** The sheet covers a part of the window. */
  readonly isCovered: boolean;
}

/** In such windows the graph is below the text and too low for a form. */
const narrow = '(max-width: 1180px)';

/** Makes the graph of a flow editable: a layer for its Topology, and the sheet with the form of one task. */
export function useGraphEditing(editing: Editing): GraphEditing {
  const { source, history, schema, issues, readOnly = false, selectedId } = editing;
  const [opened, setOpened] = useContinuedState<Part | undefined>('sheet', editing.page, undefined);
  const isFixed = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  // The layer gets stable functions, because a new one after each keystroke would render the graph again.
  const latest = useRef(editing);
  useEffect(() => {
    latest.current = editing;
  });
  const document = useMemo<FlowDocument>(
    () => ({
      latest: () => latest.current.history.latest(),
      write: (text) => latest.current.history.write(text, ''),
      undo: () => latest.current.history.undo(),
      redo: () => latest.current.history.redo(),
      schema: () => latest.current.schema,
      select: (id) => latest.current.onSelect(id),
      open: (part) => {
        const { onOpen } = latest.current;
        if (onOpen) onOpen(part.id);
        else setOpened(part);
      },
    }),
    [setOpened],
  );
  const { canUndo, canRedo } = history;
  const { data: schemaData } = schema;
  const layer = useMemo(
    () =>
      readOnly ? undefined : (
        <Suspense>
          <GraphLayer
            document={document}
            schemaData={schemaData}
            selectedId={selectedId}
            canUndo={canUndo}
            canRedo={canRedo}
          />
        </Suspense>
      ),
    [readOnly, document, schemaData, selectedId, canUndo, canRedo],
  );
  const close = useCallback(() => setOpened(undefined), [setOpened]);
  const sheet = opened && !readOnly && (
    <Suspense>
      <ElementSheet
        key={`${opened.kind} ${opened.id}`}
        part={opened}
        source={source}
        history={history}
        schema={schema}
        issues={issues}
        onComplete={editing.onComplete}
        isFixed={isFixed}
        onOpen={setOpened}
        onClose={close}
      />
    </Suspense>
  );
  return { layer, sheet, isCovered: isFixed && opened !== undefined };
}

import { Portal } from '@mantine/core';
import type { GraphNode } from '@millrace/contract';
import { type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showWarning } from '../../../shell/toasts.ts';
import { useStableCallback } from '../../../state/useStableCallback.ts';
import type { AskedSchema } from '../../forms/index.ts';
import { type TopologyView, useTopology } from '../../topology/index.ts';
import { readFlowText, stepOf } from '../edits/flowText.ts';
import {
  canMove,
  insertElement,
  moveElement,
  removeElement,
  setElementDisabled,
} from '../edits/graphEdits.ts';
import { duplicateElement } from '../edits/renameElement.ts';
import { kindOf, type Part, type Slot } from '../edits/slot.ts';
import type { FlowDocument } from '../flowDocument.ts';
import { newElementOf, TypePalette, typesFor } from '../TypePalette.tsx';
import { GraphBar } from './GraphBar.tsx';
import styles from './GraphLayer.module.css';
import { type MenuPlace, type PartActions, PartMenu } from './PartMenu.tsx';
import { PartTools } from './PartTools.tsx';
import { RemoveDialog, removalOf } from './RemoveDialog.tsx';
import { SlotButtons, useSlotLabel } from './SlotButtons.tsx';
import { slotsOf } from './slotsOf.ts';
import { useDragging } from './useDragging.ts';
import { usePartKeys } from './usePartKeys.ts';

interface GraphLayerProps {
  readonly document: FlowDocument;
  /** Undefined while a page that has just opened loads the types; `document` has them only after it has rendered. */
  readonly schemaData: AskedSchema['data'];
  readonly selectedId: string | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The editing layer of a graph: every gesture becomes one change of the flow's text. */
export function GraphLayer(props: GraphLayerProps) {
  const { document, schemaData, selectedId, canUndo, canRedo } = props;
  const { t } = useTranslation();
  const view = useTopology();
  const { graph, layout, focus } = view;
  const [adding, setAdding] = useState<Slot>();
  const [menu, setMenu] = useState<MenuPlace>();
  const [removing, setRemoving] = useState<Part>();
  const [moving, setMoving] = useState<Part>();
  const expect = useExpectedFocus(view);
  const slots = useMemo(() => slotsOf(graph, layout), [graph, layout]);

  /** Writes the result of an edit; a text that cannot be edited says so. */
  const apply = useCallback(
    (text: string | undefined, id?: string) => {
      if (text === undefined)
        return showWarning(t('graphEditor.cannotEdit'), t('graphEditor.cannotEditTitle'));
      document.write(text);
      if (id === undefined) return;
      document.select(id);
      expect(id);
    },
    [document, expect, t],
  );
  const move = useCallback(
    (part: Part, slot: Slot) => apply(moveElement(document.latest(), part, slot), part.id),
    [apply, document],
  );
  const targetsOf = useCallback(
    (part: Part): ReadonlySet<string> => {
      const text = readFlowText(document.latest());
      return new Set(slots.filter(({ slot }) => text && canMove(text, part, slot)).map(({ key }) => key));
    },
    [document, slots],
  );
  const { dragging, ghost } = useDragging({ slots, targetsOf, onDrop: move });
  const moved = dragging?.part ?? moving;
  const targets = useMemo(
    () => dragging?.targets ?? (moving && targetsOf(moving)),
    [dragging?.targets, moving, targetsOf],
  );

  const add = async (slot: Slot, type: string) => {
    setAdding(undefined);
    const text = readFlowText(document.latest());
    const element = text && (await newElementOf(document.schema(), text, kindOf(slot), type));
    const id = typeof element?.id === 'string' ? element.id : undefined;
    apply(element && insertElement(document.latest(), slot, element), id);
    if (id !== undefined) document.open({ kind: kindOf(slot), id });
  };
  const actions: PartActions = {
    open: document.open,
    add: setAdding,
    move: setMoving,
    step: (part, step) => {
      const slot = stepOf(document.latest(), part, step);
      if (slot) move(part, slot);
    },
    duplicate: (part) => {
      const copy = duplicateElement(document.latest(), part);
      apply(copy?.source, copy?.id);
    },
    setDisabled: (part, isDisabled) =>
      apply(setElementDisabled(document.latest(), part, isDisabled), part.id),
    remove: (part) => {
      const removal = removalOf(document.latest(), part);
      if (removal && (removal.by.length > 0 || removal.children.length > 0)) setRemoving(part);
      else apply(removeElement(document.latest(), part));
    },
    undo: document.undo,
    redo: document.redo,
  };
  usePartKeys({
    view,
    actions,
    isMoving: moving !== undefined,
    onCancel: () => setMoving(undefined),
    onMenu: setMenu,
  });

  const selected = findPart(graph.nodes, selectedId);
  const labelOf = useSlotLabel(moved !== undefined);
  const cancelMove = useCallback(() => setMoving(undefined), []);
  const choose = useStableCallback((slot: Slot) => {
    if (!moving) return setAdding(slot);
    setMoving(undefined);
    move(moving, slot);
  });
  return (
    <>
      <SlotButtons
        slots={slots}
        targets={targets}
        active={dragging?.active}
        labelOf={labelOf}
        onChoose={choose}
      />
      <GraphBar
        onAdd={setAdding}
        canUndo={canUndo}
        canRedo={canRedo}
        onUndo={document.undo}
        onRedo={document.redo}
        moving={moving?.id}
        onCancelMove={cancelMove}
      />
      {selected && !moved && (
        <PartTools view={view} node={selected} actions={actions} onMore={(place) => setMenu(place)} />
      )}
      {dragging && <DragGhost id={dragging.part.id} element={ghost} />}
      {menu && <PartMenu place={menu} actions={actions} onClose={() => setMenu(undefined)} />}
      {removing && (
        <RemoveDialog
          source={document.latest()}
          part={removing}
          onRemove={(text) => {
            setRemoving(undefined);
            apply(text);
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
      {adding && (
        <TypePalette
          title={labelOf(adding)}
          types={schemaData && typesFor({ data: schemaData }, kindOf(adding))}
          onChoose={(type) => void add(adding, type)}
          onClose={() => {
            setAdding(undefined);
            const uid = uidOf(view, selectedId);
            if (uid !== undefined) focus(uid);
          }}
        />
      )}
    </>
  );
}

/** The node of an id; a trigger and a task may share one, then the task is meant. */
function findPart(nodes: readonly GraphNode[], id: string | undefined): GraphNode | undefined {
  if (id === undefined) return undefined;
  return (
    nodes.find(({ task }) => task?.id === id) ??
    nodes.find(({ triggerDeclaration }) => triggerDeclaration?.id === id)
  );
}

function uidOf({ layout }: TopologyView, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const isWanted = (node: GraphNode | undefined) => (node?.task ?? node?.triggerDeclaration)?.id === id;
  return (
    layout.nodes.find(({ node }) => isWanted(node))?.uid ??
    layout.clusters.find(({ header }) => isWanted(header))?.uid
  );
}

/** The name of the task that is being dragged, beside the pointer. */
function DragGhost({ id, element }: { id: string; element: RefObject<HTMLDivElement | null> }) {
  const { frame } = useTopology();
  return (
    <Portal {...(frame.current && { target: frame.current })}>
      <div className={styles.ghost} ref={element}>
        {id}
      </div>
    </Portal>
  );
}

/** Focuses the node of an id when the picture shows it: an edit changes the text, and the picture follows later. */
function useExpectedFocus(view: TopologyView): (id: string) => void {
  const [expected, setExpected] = useState<string>();
  const { layout } = view;
  const look = useEffectEvent(() => {
    const uid = uidOf(view, expected);
    if (uid === undefined) return;
    setExpected(undefined);
    // A form that opened for the new task keeps the focus.
    if (!globalThis.document.activeElement?.closest('[data-sheet]')) view.focus(uid);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture may have the expected node.
  useEffect(() => {
    if (expected !== undefined) look();
  }, [layout, expected]);
  return setExpected;
}

import { ActionIcon } from '@mantine/core';
import type { GraphNode } from '@millrace/contract';
import {
  IconCopy,
  IconDots,
  IconEdit,
  IconEye,
  IconEyeOff,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { NodeToolbar, Position } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useStableCallback } from '../../../state/useStableCallback.ts';
import { Hint } from '../../../ui/Hint.tsx';
import type { TopologyView } from '../../topology/index.ts';
import styles from './GraphLayer.module.css';
import type { MenuPlace, PartActions } from './PartMenu.tsx';
import { partOf } from './partAt.ts';

interface PartToolsProps {
  readonly view: TopologyView;
  readonly node: GraphNode;
  readonly actions: PartActions;
  onMore(place: MenuPlace): void;
}

/** The most used actions above the selected node; a finger has no context menu. */
export function PartTools({ view, node, actions, onMore }: PartToolsProps) {
  const { t } = useTranslation();
  const part = partOf(node, view.graph);
  const isCluster = view.layout.clusters.some(({ header }) => header?.uid === node.uid);
  const isDisabled = (node.task ?? node.triggerDeclaration)?.disabled === true;
  const act = useStableCallback((tool: Tool, button: HTMLElement) => {
    if (!part) return;
    if (tool === 'edit') actions.open(part);
    else if (tool === 'duplicate') actions.duplicate(part);
    else if (tool === 'disable') actions.setDisabled(part, !isDisabled);
    else if (tool === 'delete') actions.remove(part);
    else {
      const box = view.frame.current?.getBoundingClientRect();
      const rect = button.getBoundingClientRect();
      onMore({ node, part, x: rect.left - (box?.left ?? 0), y: rect.bottom - (box?.top ?? 0) + 4 });
    }
  });
  if (!part) return null;
  return (
    <NodeToolbar
      nodeId={isCluster ? `cluster_${node.uid}` : node.uid}
      isVisible
      position={Position.Top}
      align="end"
      offset={6}
      // A press on it moves nothing.
      className={`${styles.tools ?? ''} nopan nodrag`}
      role="toolbar"
      aria-label={t('graphEditor.menuOf', { id: part.id })}
    >
      <ToolButtons isDisabled={isDisabled} onAct={act} />
    </NodeToolbar>
  );
}

type Tool = 'edit' | 'duplicate' | 'disable' | 'delete' | 'more';

interface ToolButtonsProps {
  readonly isDisabled: boolean;
  onAct(tool: Tool, button: HTMLElement): void;
}

/** Rendered once, not at each key that changes the id of the selected task. */
const ToolButtons = memo(function ToolButtons({ isDisabled, onAct }: ToolButtonsProps) {
  const { t } = useTranslation();
  const tools: readonly [Tool, string, TablerIcon][] = [
    ['edit', t('graphEditor.edit'), IconEdit],
    ['duplicate', t('form.duplicateOne'), IconCopy],
    [
      'disable',
      t(isDisabled ? 'graphEditor.enable' : 'graphEditor.disable'),
      isDisabled ? IconEye : IconEyeOff,
    ],
    ['delete', t('action.delete'), IconTrash],
    ['more', t('graphEditor.more'), IconDots],
  ];
  return tools.map(([tool, label, Icon]) => (
    <Hint key={tool} label={label}>
      <ActionIcon size={26} aria-label={label} onClick={(event) => onAct(tool, event.currentTarget)}>
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Hint>
  ));
});

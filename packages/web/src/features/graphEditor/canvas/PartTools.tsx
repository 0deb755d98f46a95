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
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import type { TopologyView } from '../../topology/index.ts';
import type { PartActions } from './actions.ts';
import styles from './GraphLayer.module.css';
import type { MenuPlace } from './PartMenu.tsx';
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
  if (!part) return null;
  const isDisabled = (node.task ?? node.triggerDeclaration)?.disabled === true;
  const tool = (label: string, Icon: TablerIcon, act: (button: HTMLElement) => void) => (
    <Hint label={label}>
      <ActionIcon size={26} aria-label={label} onClick={(event) => act(event.currentTarget)}>
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
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
      {tool(t('graphEditor.edit'), IconEdit, () => actions.open(part))}
      {tool(t('form.duplicateOne'), IconCopy, () => actions.duplicate(part))}
      {tool(
        t(isDisabled ? 'graphEditor.enable' : 'graphEditor.disable'),
        isDisabled ? IconEye : IconEyeOff,
        () => actions.setDisabled(part, !isDisabled),
      )}
      {tool(t('action.delete'), IconTrash, () => actions.remove(part))}
      {tool(t('graphEditor.more'), IconDots, (button) => {
        const box = view.frame.current?.getBoundingClientRect();
        const rect = button.getBoundingClientRect();
        onMore({ node, part, x: rect.left - (box?.left ?? 0), y: rect.bottom - (box?.top ?? 0) + 4 });
      })}
    </NodeToolbar>
  );
}

import { ActionIcon } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import type { Orientation } from './layout/layout.ts';
import styles from './Topology.module.css';

interface ControlsProps {
  /** Given for graphs that can be turned. */
  readonly orientation?: Orientation;
  onTurn?(): void;
  onFit(): void;
  readonly children?: ReactNode;
}

export const TopologyControls = memo(function TopologyControls({
  orientation,
  onTurn,
  onFit,
  children,
}: ControlsProps) {
  const { t } = useTranslation();
  const { zoomIn, zoomOut } = useReactFlow();
  const isVertical = orientation === 'vertical';
  return (
    <Panel position="bottom-left" className={styles.controls ?? ''}>
      <Control label={t('topology.zoomIn')} onClick={() => void zoomIn()}>
        <IconPlus size={16} />
      </Control>
      <Control label={t('topology.zoomOut')} onClick={() => void zoomOut()}>
        <IconMinus size={16} />
      </Control>
      <Control label={t('topology.fit')} onClick={onFit}>
        <IconArrowsMaximize size={16} />
      </Control>
      {onTurn && (
        <Control label={t(isVertical ? 'topology.toHorizontal' : 'topology.toVertical')} onClick={onTurn}>
          {isVertical ? (
            <IconLayoutDistributeVertical size={16} />
          ) : (
            <IconLayoutDistributeHorizontal size={16} />
          )}
        </Control>
      )}
      {children}
    </Panel>
  );
});

interface ControlProps {
  readonly label: string;
  onClick?(): void;
  readonly children: ReactNode;
}

/** A button beside the graph. A menu around it passes its own properties on. */
export function Control({ label, children, ...given }: ControlProps) {
  return (
    <Hint label={label} position="right">
      <ActionIcon variant="default" size={30} aria-label={label} {...given}>
        {children}
      </ActionIcon>
    </Hint>
  );
}

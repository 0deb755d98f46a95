import { Button } from '@mantine/core';
import { IconLayoutSidebar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useSetting } from '../../storage/settings.ts';
import { readStored, type StorageKey, useStored, writeStored } from '../../storage/storage.ts';
import { readLayout, rowOf, stackWith } from '../../ui/panels/layout.ts';
import type { Panel } from '../../ui/panels/Panels.tsx';
import { usePanelLayout } from '../../ui/panels/usePanelLayout.ts';
import type { EditorView } from './ViewSwitch.tsx';

const ids = ['files', 'code', 'noCode', 'topology', 'dryRun', 'playground', 'help', 'blueprints'] as const;
type PanelId = (typeof ids)[number];

/** The layout that earlier versions kept for all flows: the start of each flow without its own. */
const common: StorageKey = 'panels:flow-editor';

const newFlow = 'flow:new';
const nameOf = (flow: Options['flow']) =>
  flow ? (`flow:${currentTenant() ?? ''}:${flow.namespace}/${flow.id}` as const) : newFlow;

/** A new flow that is saved keeps the panels that it was written in. */
export function keepLayoutOfNewFlow(flow: { readonly namespace: string; readonly id: string }): void {
  for (const part of ['panels', 'panels:shown'] as const) {
    const layout = readStored(`${part}:${newFlow}`);
    if (layout !== undefined) writeStored(`${part}:${nameOf(flow)}`, layout);
  }
}

interface Options {
  readonly flow: { readonly namespace: string; readonly id: string } | undefined;
  readonly view: EditorView;
  readonly hasFiles: boolean;
  readonly isDirty: boolean;
}

/** Whether a flow is edited in panels, and how they are arranged: each flow has its own layout. */
export function useEditorPanels({ flow, view, hasFiles, isDirty }: Options) {
  const { t } = useTranslation();
  const name = nameOf(flow);
  const byDefault = useSetting('multiPanelEditor');
  const chosen = useStored(`panels:shown:${name}`);
  const isShown = chosen === undefined ? byDefault : chosen === 'true';
  const available = hasFiles ? ids : ids.filter((id) => id !== 'files');
  const layout = usePanelLayout({
    name,
    panels: available,
    initial:
      readLayout(readStored(common), available) ?? rowOf([view === 'YAML' ? 'code' : 'noCode', 'topology']),
    atLeft: ['files'],
  });
  const setShown = (next: boolean) =>
    writeStored(`panels:shown:${name}`, next === byDefault ? undefined : String(next));
  const editsText: readonly PanelId[] = ['code', 'noCode', 'topology'];
  return {
    isShown,
    setShown,
    layout,
    isInFront: (id: PanelId) => stackWith(layout.layout, id)?.active === id,
    panelsOf: (contents: Readonly<Record<PanelId, ReactNode>>): Panel[] =>
      available.map((id) => ({
        id,
        title: id === 'dryRun' || id === 'playground' ? t(`${id}.title`) : t(`panels.${id}`),
        content: contents[id],
        isDirty: isDirty && editsText.includes(id),
      })),
    tools: (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconLayoutSidebar size={15} stroke={1.7} />}
        onClick={() => setShown(false)}
      >
        {t('panels.leave')}
      </Button>
    ),
  };
}

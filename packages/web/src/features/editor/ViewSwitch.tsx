import { Button, SegmentedControl, VisuallyHidden } from '@mantine/core';
import {
  IconBook,
  IconFiles,
  IconFlask,
  IconLayoutDashboard,
  IconLayoutSidebarRight,
  IconPlayerPlay,
  IconSchema,
  IconSquareOff,
  type TablerIcon,
} from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { editorSides, readSetting, settings } from '../../storage/settings.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Hint } from '../../ui/Hint.tsx';
import styles from './FlowEditor.module.css';

interface ViewSwitchProps {
  readonly view: EditorView;
  onView(view: EditorView): void;
  readonly side: EditorSide;
  onSide(side: EditorSide): void;
  /** Undefined where a flow has no files beside it yet. */
  readonly hasFiles: boolean | undefined;
  onFiles(shown: boolean): void;
  /** Shows the parts of the editor as panels. */
  onPanels(): void;
}

const sideIcons: Record<EditorSide, TablerIcon> = {
  none: IconSquareOff,
  topology: IconSchema,
  dryRun: IconFlask,
  playground: IconPlayerPlay,
  documentation: IconBook,
  blueprints: IconLayoutSidebarRight,
};

/** How a flow is edited, and what stands beside that. */
export const ViewSwitch = memo(function ViewSwitch(props: ViewSwitchProps) {
  const { view, onView, side, onSide, hasFiles, onFiles, onPanels } = props;
  const { t } = useTranslation();
  return (
    <div className={styles.switch}>
      {hasFiles !== undefined && (
        <Button
          size="compact-sm"
          variant={hasFiles ? 'light' : 'subtle'}
          leftSection={<IconFiles size={15} stroke={1.7} />}
          aria-pressed={hasFiles}
          onClick={() => onFiles(!hasFiles)}
        >
          {t('editor.files')}
        </Button>
      )}
      <SegmentedControl<EditorView>
        size="xs"
        aria-label={t('noCode.view')}
        data={[
          { value: 'YAML', label: t('noCode.yaml') },
          { value: 'NO_CODE', label: t('noCode.noCode') },
        ]}
        value={view}
        onChange={onView}
      />
      <SegmentedControl<EditorSide>
        size="xs"
        ml="auto"
        aria-label={t('editor.side')}
        data={editorSides.map((value) => ({ value, label: <SideLabel side={value} /> }))}
        value={side}
        onChange={onSide}
      />
      <Hint label={t('panels.useHint')}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconLayoutDashboard size={15} stroke={1.7} />}
          onClick={onPanels}
        >
          {t('panels.use')}
        </Button>
      </Hint>
    </div>
  );
});

function SideLabel({ side }: { side: EditorSide }) {
  const { t } = useTranslation();
  const Icon = sideIcons[side];
  const name = t(`editor.sides.${side}`);
  return (
    <Hint label={name}>
      <span className={styles.side}>
        <Icon size={15} stroke={1.7} aria-hidden="true" />
        <VisuallyHidden>{name}</VisuallyHidden>
      </span>
    </Hint>
  );
}

export type EditorView = (typeof settings.editorType.values)[number];

/**
 * The view that was chosen last. It holds while the setting is what it was then: a change of the setting is the newer
 * choice of the two.
 */
export function firstView(): EditorView {
  const setting = readSetting('editorType');
  const [since, chosen] = (readStored('editorView') ?? '').split(' ');
  return (since === setting && settings.editorType.values.find((view) => view === chosen)) || setting;
}

export const rememberView = (view: EditorView): void =>
  writeStored('editorView', `${readSetting('editorType')} ${view}`);

type EditorSide = (typeof editorSides)[number];

const firstSide = (): EditorSide =>
  editorSides.find((side) => side === readStored('editorSide')) ?? 'topology';

const rememberSide = (side: EditorSide): void => writeStored('editorSide', side);

/** Names the page of a flow for the page that it was created on. */
export const pageOf = ({ namespace, id }: { readonly namespace: string; readonly id: string }): string =>
  `${namespace}/${id}`;

interface EditorSearch {
  readonly editor?: EditorView | undefined;
  readonly side?: EditorSide | undefined;
  readonly element?: string | undefined;
}

/**
 * How a flow is edited and what stands beside it: as the address says, else as it was chosen last. The form that is
 * open is in the address only.
 */
export function useEditorPlace() {
  const search: EditorSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [usual] = useState(() => ({ view: firstView(), side: firstSide() }));
  const keep = (part: EditorSearch, replace: boolean) =>
    // `as`: the editor is inside several routes, whose schemas know these three.
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...part })) as never, replace });
  return {
    view: search.editor ?? usual.view,
    side: search.side ?? usual.side,
    element: search.element,
    /** For now only: the next flow opens in the view that was chosen last. */
    show: (editor: EditorView) => keep({ editor }, true),
    choose: (editor: EditorView) => {
      rememberView(editor);
      keep({ editor }, true);
    },
    chooseSide: (side: EditorSide) => {
      rememberSide(side);
      keep({ side }, true);
    },
    /** A step deeper, so that going back comes out again. */
    openElement: (element: string | undefined) => keep({ element }, false),
  };
}

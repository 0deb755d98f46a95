import { Menu } from '@mantine/core';
import { namespaceFiles } from '@millrace/contract';
import {
  IconArrowsMove,
  IconBraces,
  IconCopy,
  IconDownload,
  IconFilePlus,
  IconFolderPlus,
  IconLink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { urlOf } from '../../../../api/call.ts';
import { checkedDownload } from '../../../../api/download.ts';
import { useTranslation } from '../../../../i18n/useTranslation.ts';
import { KeyHint } from '../../../../ui/KeyHint.tsx';
import { useCopy } from '../../../../ui/values/Id.tsx';
import type { FileQuestion } from '../FileDialog.tsx';
import { nameOf } from '../fileQueries.ts';
import styles from './FileTree.module.css';
import type { FileRow } from './fileRows.ts';

export interface FileMenuPlace {
  readonly x: number;
  readonly y: number;
  /** The folder that a new file goes into. */
  readonly folder: string;
  /** What the items act on; nothing between the files. */
  readonly rows: readonly FileRow[];
}

interface FileMenuProps {
  readonly namespace: string;
  readonly place: FileMenuPlace;
  onClose(): void;
  onAsk(question: FileQuestion): void;
  onRename(path: string): void;
  onDuplicate(paths: readonly string[]): void;
}

const icon = { size: 15, stroke: 1.7 } as const;

/** Everything that can be done with the selected files, with the keys that do the same. */
export function FileMenu({ namespace, place, onClose, onAsk, onRename, onDuplicate }: FileMenuProps) {
  const { t } = useTranslation();
  const { copy } = useCopy();
  const { rows, folder, x, y } = place;
  const paths = rows.map(({ path }) => path);
  const [only] = rows.length === 1 ? rows : [];
  const isFile = only?.type === 'File';
  const query = { path: paths };
  const href = isFile
    ? urlOf(namespaceFiles.readNamespaceFile, { params: { namespace }, query })
    : urlOf(namespaceFiles.exportNamespaceFiles, { params: { namespace }, query });
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={250} returnFocus={false}>
      <Menu.Target>
        <span className={styles.anchor} style={{ left: x, top: y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('file.menu')} aria-labelledby={undefined}>
        <Menu.Item
          leftSection={<IconFilePlus {...icon} />}
          onClick={() => onAsk({ kind: 'create', type: 'File', folder })}
        >
          {t('file.newFile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolderPlus {...icon} />}
          onClick={() => onAsk({ kind: 'create', type: 'Directory', folder })}
        >
          {t('file.newFolder')}
        </Menu.Item>
        {paths.length > 0 && (
          <>
            <Menu.Divider />
            {only && (
              <Menu.Item
                leftSection={<IconPencil {...icon} />}
                rightSection={<KeyHint keys="F2" />}
                onClick={() => onRename(only.path)}
              >
                {t('file.rename')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => onDuplicate(paths)}>
              {t('file.duplicate')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowsMove {...icon} />}
              onClick={() => onAsk({ kind: 'move', paths })}
            >
              {t('file.moveTo')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => void copy(paths.join('\n'))}>
              {t('file.copyPath')}
            </Menu.Item>
            <Menu.Item leftSection={<IconBraces {...icon} />} onClick={() => void copy(readExpression(rows))}>
              {t(isFile ? 'file.copyRead' : 'file.copyInclude')}
            </Menu.Item>
            <Menu.Item
              component="a"
              href={href}
              download={isFile ? nameOf(only.path) : `${namespace}_files.zip`}
              leftSection={<IconDownload {...icon} />}
              onClick={checkedDownload}
            >
              {t(isFile ? 'file.download' : 'file.downloadZip')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash {...icon} />}
              rightSection={<KeyHint keys="Delete" />}
              onClick={() => onAsk({ kind: 'delete', rows })}
            >
              {t('action.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** How a flow uses the files: one is read by an expression, several and folders are listed for the task. */
function readExpression(rows: readonly Pick<FileRow, 'path' | 'type'>[]): string {
  const relative = (path: string): string => path.replace(/^\//, '');
  const [only] = rows;
  if (only && rows.length === 1 && only.type === 'File')
    return `{{ read('${relative(only.path).replaceAll("'", "\\'")}') }}`;
  const patterns = rows.map(({ path, type }) => relative(path) + (type === 'Directory' ? '/**' : ''));
  const lines = patterns.map((pattern) => `    - ${JSON.stringify(pattern)}`);
  return ['namespaceFiles:', '  enabled: true', '  include:', ...lines].join('\n');
}

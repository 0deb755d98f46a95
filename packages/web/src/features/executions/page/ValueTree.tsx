import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CopyButton } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { fileNameOf, isStorageUri } from '../files/storageFile.ts';
import styles from './ValueTree.module.css';

// Few values are files.
const FileValue = lazyPart(() => import('../files/FileValue.tsx'), 'FileValue');

interface ValueTreeProps {
  values: Record<string, unknown>;
  /** Whose values they are: files among them are read through it. */
  executionId: string;
  /** How many levels of nested values are open at first; all of the small ones unless given. */
  openLevels?: number | undefined;
}

const pageSize = 100;

/** Values under their names; lists and objects fold out, files can be looked into. Long lists come in parts. */
export function ValueTree({ values, executionId, openLevels }: ValueTreeProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(pageSize);
  const names = Object.keys(values);
  return (
    <ul className={styles.tree}>
      {names.slice(0, shown).map((name) => (
        <ValueRow
          key={name}
          name={name}
          value={values[name]}
          executionId={executionId}
          openLevels={openLevels}
        />
      ))}
      {names.length > shown && (
        <li className={styles.row}>
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + pageSize * 10)}>
            {t('value.more', { number: formatNumber(names.length - shown) })}
          </Button>
        </li>
      )}
    </ul>
  );
}

interface ValueRowProps extends Omit<ValueTreeProps, 'values'> {
  name: string;
  value: unknown;
}

function ValueRow({ name, value, executionId, openLevels }: ValueRowProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Branch name={name} values={{ ...value }} executionId={executionId} openLevels={openLevels} />;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isFile = isStorageUri(value);
  return (
    <li className={styles.row}>
      <span className={styles.name}>{name}</span>
      <code
        className={styles.value}
        data-kind={value === null ? 'null' : typeof value}
        {...(isFile && { title: value })}
      >
        {isFile ? fileNameOf(value) : text}
      </code>
      {isFile && (
        <Suspense>
          <FileValue executionId={executionId} uri={value} />
        </Suspense>
      )}
      <CopyButton value={text ?? ''} />
    </li>
  );
}

/** Folded values are not rendered, because a list may be very long. */
function Branch({ name, values, executionId, openLevels }: ValueTreeProps & { name: string }) {
  const { t } = useTranslation();
  const count = Object.keys(values).length;
  const [isOpen, setOpen] = useState(count <= 12 && openLevels !== 0);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.row}>
          <span className={styles.name}>{name}</span>
          <span className={styles.quiet}>{t('value.items', { count })}</span>
        </summary>
        {isOpen && (
          <ValueTree
            values={values}
            executionId={executionId}
            openLevels={openLevels === undefined ? undefined : openLevels - 1}
          />
        )}
      </details>
    </li>
  );
}

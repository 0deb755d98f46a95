import { UnstyledButton } from '@mantine/core';
import { formatPath, type Path } from '@millrace/engine';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../FormHost.ts';
import { nameOf } from '../fields/BlockRow.tsx';
import { isMap, valueAt } from '../source/edit.ts';
import styles from './NoCodeEditor.module.css';

/** The way from the flow to what is being edited. */
export function Breadcrumb({ path }: { path: Path }) {
  const { t } = useTranslation();
  const { data, open } = useForm();
  const id = valueAt(data, ['id']);
  const flow = typeof id === 'string' && id !== '' ? id : t('noCode.flow');
  const elements = elementsAlong(data, path);
  return (
    <nav className={styles.crumbs} aria-label={t('noCode.way')}>
      {elements.length === 0 ? (
        <span className={styles.here}>{flow}</span>
      ) : (
        <UnstyledButton className={styles.crumb ?? ''} onClick={() => open([])}>
          {flow}
        </UnstyledButton>
      )}
      {elements.map(({ path: place, name }, index) => (
        <Fragment key={formatPath(place)}>
          <IconChevronRight size={13} aria-hidden className={styles.arrow ?? ''} />
          {index === elements.length - 1 ? (
            <span className={styles.here} aria-current="location">
              {name}
            </span>
          ) : (
            <UnstyledButton className={styles.crumb ?? ''} onClick={() => open(place)}>
              {name}
            </UnstyledButton>
          )}
        </Fragment>
      ))}
    </nav>
  );
}

/** The things with forms of their own on the way; of an item around a typed thing only the thing. */
function elementsAlong(data: unknown, path: Path): { path: Path; name: string }[] {
  const found: { path: Path; name: string }[] = [];
  for (const [depth, step] of path.entries()) {
    if (typeof step !== 'number') continue;
    const place = path.slice(0, depth + 1);
    const value = valueAt(data, place);
    const inside = path[depth + 1];
    const isWrapped = isMap(value) && !('id' in value) && !('type' in value) && typeof inside === 'string';
    const inner = isWrapped ? [...place, inside] : place;
    found.push({ path: inner, name: nameOf(valueAt(data, inner), step).title });
  }
  return found;
}

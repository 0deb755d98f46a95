import { ActionIcon, Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showWarning } from '../../shell/toasts.ts';
import { Hint } from '../../ui/Hint.tsx';
import { BrokenPart, Loading } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { CodeBlock } from '../../ui/markdown/CodeBlock.tsx';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import styles from './BlueprintBrowser.module.css';
import { type BlueprintField, fieldsOf, fillBlueprint, secretsOf } from './fillBlueprint.ts';
import { countParts, insertBlueprint, isEmptyText, replaceWith } from './insertBlueprint.ts';
import { blueprintGraphQuery, blueprintQuery } from './queries.ts';

const Topology = lazyPart(() => import('../topology/index.ts'), 'Topology');

/** The text that a blueprint is inserted into. */
export interface BlueprintTarget {
  /** The text as of now. */
  text(): string;
  /** The task that the cursor is in. */
  readonly task: string | undefined;
  /** Takes the new text as one step back, and shows the line. */
  onInsert(text: string, line: number): void;
}

interface BlueprintDetailProps {
  readonly id: string;
  /** Undefined where the text cannot be changed. */
  readonly target: BlueprintTarget | undefined;
  onBack(): void;
}

/** One blueprint: about it, its graph and YAML, the values to fill in, and the way into the flow. */
export function BlueprintDetail({ id, target, onBack }: BlueprintDetailProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(blueprintQuery('flow', id));
  const { data: graph } = useQuery(blueprintGraphQuery('flow', id));
  const [view, setView] = useState<'graph' | 'yaml'>('graph');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const source = data?.source ?? '';
  const fields = useMemo(() => fieldsOf(source), [source]);
  const filled = useMemo(() => fillBlueprint(source, fields, typed), [source, fields, typed]);
  const secrets = secretsOf(source);
  const isEmpty = target !== undefined && isEmptyText(target.text());
  const insert = () => {
    const inserted = target && insertBlueprint(target.text(), filled, target.task);
    if (inserted) target.onInsert(inserted.source, inserted.line);
    else showWarning(t('blueprint.cannotInsert'));
  };
  return (
    <>
      <header className={styles.head}>
        <Hint label={t('blueprint.back')}>
          <ActionIcon size={28} aria-label={t('blueprint.back')} onClick={onBack}>
            <IconArrowLeft size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
        <strong>{data?.title}</strong>
      </header>
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data?.description && <Markdown text={data.description} />}
      {data && target && fields.length > 0 && (
        <section className={styles.fields} aria-label={t('blueprint.values')}>
          <h3>{t('blueprint.values')}</h3>
          {fields.map((field) => (
            <FieldInput
              key={field.key}
              field={field}
              value={typed[field.key] ?? field.value}
              onChange={(value) => setTyped({ ...typed, [field.key]: value })}
            />
          ))}
        </section>
      )}
      {secrets.length > 0 && (
        <p className={styles.quiet}>{t('blueprint.secrets', { names: secrets.join(', ') })}</p>
      )}
      {data && (
        <SegmentedControl
          size="xs"
          className={styles.views}
          aria-label={t('blueprint.preview')}
          data={[
            { value: 'graph', label: t('blueprint.topology') },
            { value: 'yaml', label: t('blueprint.source') },
          ]}
          value={view}
          onChange={setView}
        />
      )}
      {data && view === 'graph' && graph && (
        <div className={styles.graph}>
          <Suspense fallback={<Loading />}>
            <Topology graph={graph} />
          </Suspense>
        </div>
      )}
      {data && (view === 'yaml' || !graph) && (
        <CodeBlock>
          <code className="language-yaml">{filled}</code>
        </CodeBlock>
      )}
      {data && target && (
        <footer className={styles.foot}>
          <span className={styles.parts}>
            {countParts(source)
              .map(({ name, count }) => `${name} ${count}`)
              .join(' · ')}
          </span>
          {!isEmpty && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => target.onInsert(replaceWith(target.text(), filled), 1)}
            >
              {t('blueprint.replace')}
            </Button>
          )}
          <Button size="compact-sm" onClick={insert}>
            {isEmpty
              ? t('blueprint.insertFlow')
              : target.task === undefined
                ? t('blueprint.insertEnd')
                : t('blueprint.insertAfter', { id: target.task })}
          </Button>
        </footer>
      )}
    </>
  );
}

interface FieldInputProps {
  readonly field: BlueprintField;
  readonly value: string;
  onChange(value: string): void;
}

function FieldInput({ field: { kind, name, description }, value, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="xs"
      label={kind === 'placeholder' ? t('blueprint.insteadOf', { text: name }) : name}
      description={description ?? (kind === 'input' ? t('blueprint.default') : undefined)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

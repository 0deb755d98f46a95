import { Button, NativeSelect, Select, TextInput } from '@mantine/core';
import { type KvEntry, type KvType, type KvValue, kv, kvKeyPattern, kvTypes } from '@millrace/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { SideDialog } from '../../ui/dialog/Dialog.tsx';
import styles from '../../ui/dialog/DialogForm.module.css';
import { Loading, rangePresets } from '../../ui/index.ts';
import { NamespaceSelect } from '../flows/index.ts';
import { KvValueField } from './KvValueField.tsx';
import { kvKeysQuery, kvValueQuery } from './queries.ts';

interface KvFormProps {
  /** The entry to change; without it a new one is made. */
  entry?: KvEntry;
  /** The namespace of a new entry, when the page is about one. */
  namespace?: string;
  onClose: () => void;
}

export function KvForm({ entry, namespace, onClose }: KvFormProps) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    ...kvValueQuery(entry?.namespace ?? '', entry?.key ?? ''),
    enabled: entry !== undefined,
  });
  return (
    <SideDialog onClose={onClose} title={entry ? t('kv.edit', { key: entry.key }) : t('kv.create')}>
      {error && (
        <p className={styles.error} role="alert">
          {error.message}
        </p>
      )}
      {entry && !data && !error && <Loading />}
      {(!entry || data || error) && (
        <Fields
          entry={entry}
          namespace={namespace}
          start={data ? { type: data.type, text: textOf(data) } : { type: 'STRING', text: '' }}
          onClose={onClose}
        />
      )}
    </SideDialog>
  );
}

interface FieldsProps {
  entry: KvEntry | undefined;
  namespace: string | undefined;
  start: { type: KvType; text: string };
  onClose: () => void;
}

function Fields({ entry, namespace, start, onClose }: FieldsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [place, setPlace] = useState(entry?.namespace ?? namespace ?? '');
  const [key, setKey] = useState(entry?.key ?? '');
  const [type, setType] = useState(start.type);
  const [text, setText] = useState(start.text);
  const [ttl, setTtl] = useState('');
  const [description, setDescription] = useState(entry?.description ?? '');
  const [isSent, setSent] = useState(false);
  const { data: taken = [] } = useQuery({ ...kvKeysQuery(place), enabled: !entry && place !== '' });
  const keyProblem =
    !entry && taken.some((one) => one.key === key)
      ? t('kv.taken')
      : kvKeyPattern.test(key)
        ? undefined
        : t('kv.keyPattern');
  const problem = problemOf(type, text);
  const ttlProblem = ttl !== '' && !isDuration(ttl) ? t('kv.problem.duration') : undefined;
  const isReady = place !== '' && !keyProblem && !problem && !ttlProblem;
  const save = useMutation({
    mutationFn: () =>
      call(kv.putKv, {
        params: { namespace: place, key },
        body: bodyOf(type, text),
        headers: {
          'Content-Type': type === 'STRING' || type === 'JSON' ? 'application/json' : 'text/plain',
          ...(ttl && { ttl }),
          ...(description && { description }),
        },
        failures: 'handled',
      }),
    onSuccess: async () => {
      showSuccess(t('kv.saved', { key }));
      onClose();
      await client.invalidateQueries({ queryKey: ['kv'] });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setSent(true);
    if (isReady && !save.isPending) save.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {!entry && !namespace && (
        <NamespaceSelect value={place || undefined} onChange={(next) => setPlace(next ?? '')} />
      )}
      {isSent && place === '' && <p className={styles.error}>{t('kv.namespaceNeeded')}</p>}
      <TextInput
        label={t('kv.key')}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
        disabled={entry !== undefined}
        error={(isSent || key !== '') && keyProblem}
        required
      />
      <NativeSelect
        label={t('kv.type')}
        value={type}
        onChange={(event) => {
          const next = kvTypes.find((one) => one === event.currentTarget.value);
          if (!next) return;
          setType(next);
          setText(next === 'BOOLEAN' ? 'false' : '');
        }}
        data={kvTypes.map((value) => ({ value, label: t(`kv.types.${value}`) }))}
      />
      <KvValueField
        type={type}
        text={text}
        onChange={setText}
        error={(isSent || text !== '') && problem ? t(`kv.problem.${problem}`) : undefined}
      />
      <TextInput
        label={t('flow.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={t('kv.expiresIn')}
        placeholder={t('kv.never')}
        data={rangePresets.map((value) => ({ value, label: t(`kv.ttl.${value}`) }))}
        value={rangePresets.some((one) => one === ttl) ? ttl : null}
        onChange={(next) => setTtl(next ?? '')}
        clearable
      />
      <TextInput
        label={t('kv.ttlOwn')}
        placeholder="P1DT1H"
        value={ttl}
        onChange={(event) => setTtl(event.currentTarget.value.trim())}
        error={ttlProblem}
      />
      {save.error && (
        <p className={styles.error} role="alert">
          {save.error.message}
        </p>
      )}
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={isSent && !isReady}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}

/** An ISO duration; weeks, or days and below. */
const durationPattern = /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const isDuration = (text: string): boolean => durationPattern.test(text);

/** A stored value as the text of its form. */
export function textOf({ type, value }: KvValue): string {
  if (value === undefined || value === null) return '';
  if (type === 'JSON') return JSON.stringify(value, undefined, 2);
  return String(value);
}

/** What keeps a text from being a value of its type; undefined when nothing does. */
export function problemOf(
  type: KvType,
  text: string,
): 'required' | 'number' | 'json' | 'duration' | undefined {
  if (text === '' && type !== 'STRING') return 'required';
  if (type === 'NUMBER' && Number.isNaN(Number(text))) return 'number';
  if (type === 'DURATION' && !isDuration(text)) return 'duration';
  if (type === 'JSON' && !isObjectOrList(text)) return 'json';
  return undefined;
}

/**
 * The body that makes the server read the text as this type: it tells types apart by their JSON, so text is quoted and
 * everything else is sent as it is.
 */
export const bodyOf = (type: KvType, text: string): string =>
  type === 'STRING' ? JSON.stringify(text) : text;

function isObjectOrList(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

import { Autocomplete, Select } from '@mantine/core';
import { flows } from '@millrace/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { showError } from '../../../shell/toasts.ts';
import { type FlowKey, namespacesQuery } from '../../flows/index.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { isMap, valueAt } from '../source/edit.ts';
import { DictWidget } from './EntryRows.tsx';
import styles from './fields.module.css';

const textAt = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A namespace that is there, or any other: the one of a flow that comes later, or an expression. */
export function NamespaceWidget(props: WidgetProps<'namespace'>) {
  const { value, error, isReadOnly, onChange, control } = props;
  const { data = [] } = useQuery(namespacesQuery());
  return (
    <Autocomplete
      {...control}
      data={data}
      classNames={{ input: styles.code ?? '' }}
      maxDropdownHeight={280}
      error={error}
      readOnly={isReadOnly}
      value={textAt(value)}
      onChange={onChange}
    />
  );
}

/** A partly typed namespace is not queried: only an existing one has flows. */
function useFlowIds(namespace: string): readonly string[] {
  const { data: namespaces = [] } = useQuery(namespacesQuery());
  const isThere = namespaces.includes(namespace);
  const { data = [] } = useQuery({ ...flowsOfNamespaceQuery(namespace), enabled: isThere });
  return isThere ? data : [];
}

/** The flows of the namespace beside it, without the one that is being edited: it would run itself. */
export function FlowIdWidget(props: WidgetProps<'flowId'>) {
  const { path, value, error, isReadOnly, onChange, control } = props;
  const { t } = useTranslation();
  const { data: document } = useForm();
  const namespace = textAt(valueAt(document, [...path.slice(0, -1), 'namespace']));
  const flowIds = useFlowIds(namespace);
  const own = { namespace: valueAt(document, ['namespace']), id: valueAt(document, ['id']) };
  const ids = flowIds.filter((id) => namespace !== own.namespace || id !== own.id);
  return (
    <Autocomplete
      {...control}
      data={ids}
      classNames={{ input: styles.code ?? '' }}
      maxDropdownHeight={280}
      disabled={namespace === ''}
      placeholder={namespace === '' ? t('form.namespaceFirst') : ''}
      error={namespace === '' ? false : error}
      readOnly={isReadOnly}
      value={textAt(value)}
      onChange={onChange}
    />
  );
}

/** The inputs of the chosen flow, each offered once. */
export function SubflowInputsWidget(props: WidgetProps<'subflowInputs'>) {
  const { field, name, path, value, isReadOnly } = props;
  const { t } = useTranslation();
  const { data: document } = useForm();
  const holder = path.slice(0, -1);
  const namespace = textAt(valueAt(document, [...holder, 'namespace']));
  const id = textAt(valueAt(document, [...holder, 'flowId']));
  const isChosen = namespace !== '' && id !== '';
  const isThere = useFlowIds(namespace).includes(id);
  const { data: names = [] } = useQuery({ ...subflowInputsQuery({ namespace, id }), enabled: isThere });
  const used = new Set(Object.keys(isMap(value) ? value : {}));
  return (
    <DictWidget
      {...props}
      field={{ kind: 'dict', values: {}, schema: field.schema, isDynamic: field.isDynamic }}
      renderKey={(choose, current, index) => (
        <Select
          aria-label={t('form.keyOf', { name, number: index + 1 })}
          placeholder={t(isChosen ? 'form.inputName' : 'form.flowFirst')}
          data={[...names.filter((one) => !used.has(one)), ...(current === '' ? [] : [current])]}
          classNames={{ input: styles.code ?? '' }}
          searchable
          allowDeselect={false}
          disabled={!isChosen}
          readOnly={isReadOnly}
          nothingFoundMessage={t('form.noInput')}
          value={current === '' ? null : current}
          onChange={(next) => next !== null && next !== current && choose(next)}
        />
      )}
    />
  );
}

const flowsOfNamespaceQuery = (namespace: string) =>
  queryOptions({
    queryKey: ['flows', currentTenant(), 'of', namespace],
    queryFn: async ({ signal }) => {
      const found = await call(flows.listFlowsOfNamespace, {
        params: { namespace },
        signal,
        failures: 'handled',
      });
      return found.map(({ id }) => id);
    },
    staleTime: 30_000,
    retry: false,
  });

/** The names of a flow's inputs. A flow that cannot be read has none to offer, and it is said why. */
const subflowInputsQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, id, 'inputNames'],
    queryFn: async ({ signal }) => {
      try {
        const flow = await call(flows.getFlow, {
          params: { namespace, id },
          query: { source: false, allowDeleted: false },
          signal,
          failures: 'handled',
        });
        return (flow.inputs ?? []).map((input) => input.id);
      } catch (error) {
        if (!signal.aborted && error instanceof Error) showError(error);
        return [];
      }
    },
    staleTime: 30_000,
    retry: false,
  });

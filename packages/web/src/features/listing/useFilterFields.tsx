import { logLevels, stateTypes } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { type FilterField, type FilterOption, StatePill } from '../../ui/index.ts';
import { namespacesQuery, withParents } from '../flows/index.ts';

type FieldName =
  | 'namespace'
  | 'flowId'
  | 'state'
  | 'scope'
  | 'labels'
  | 'childFilter'
  | 'kind'
  | 'triggerExecutionId'
  | 'triggerId'
  | 'workerId'
  | 'level';

interface Options {
  /** Always in the bar, in this order and before the others. */
  prominent?: readonly FieldName[];
  /** What the page around the list says already. */
  without?: readonly FieldName[];
}

const plainOperations: Record<FieldName, string> = {
  namespace: 'STARTS_WITH',
  flowId: 'EQUALS',
  state: 'IN',
  scope: 'EQUALS',
  labels: 'EQUALS',
  childFilter: 'EQUALS',
  kind: 'EQUALS',
  triggerExecutionId: 'EQUALS',
  triggerId: 'EQUALS',
  workerId: 'EQUALS',
  level: 'EQUALS',
};
const names = Object.keys(plainOperations) as FieldName[]; // The keys are exactly those of the type.

/** The fields that the server can filter a resource by, each with how it is asked for. */
export function useFilterFields(
  resource: string,
  { prominent = [], without = [] }: Options = {},
): FilterField[] {
  const { t } = useTranslation();
  const { resourceToFilters } = useConfiguration();
  const { data: namespaces = [] } = useQuery(namespacesQuery());
  const offered = resourceToFilters.find(({ name }) => name === resource)?.fields ?? [];
  const fields = names.flatMap((name) => {
    const field = offered.find(({ value }) => value === name);
    if (!field || without.includes(name)) return [];
    const operations = field.operations.map(({ value }) => value);
    return [{ ...describe(name, operations, t, namespaces), name, isProminent: prominent.includes(name) }];
  });
  const rank = (name: FieldName) => {
    const place = prominent.indexOf(name);
    return place < 0 ? prominent.length : place;
  };
  return fields.toSorted((a, b) => rank(a.name) - rank(b.name));
}

function describe(
  name: FieldName,
  offered: readonly string[],
  t: TFunction,
  namespaces: readonly string[],
): FilterField {
  const operation = plainOperations[name];
  const base = {
    name,
    label: t(`filterField.${name}`),
    plain: { parameter: name, operation, ...(name === 'level' && { sentAs: 'minLevel' }) },
    operations: [operation, ...offered.filter((one) => one !== operation)],
  };
  switch (name) {
    case 'namespace':
      return { ...base, kind: 'choice', takesOthers: true, options: namespaceOptions(namespaces) };
    case 'state':
      return {
        ...base,
        kind: 'choice',
        // Of one state or of several: the word for both is "one of".
        operations: base.operations.filter((one) => one === 'IN' || one === 'NOT_IN'),
        options: stateOptions(t),
      };
    case 'level':
      return {
        ...base,
        kind: 'choice',
        isAlwaysSet: true,
        operations: [operation],
        options: logLevels.map((level) => ({ value: level, label: t(`logLevel.${level}`) })),
      };
    case 'scope':
      return {
        ...base,
        kind: 'choice',
        isMultiple: true,
        options: (['USER', 'SYSTEM'] as const).map((value) => ({ value, label: t(`scope.${value}`) })),
      };
    case 'childFilter':
      return {
        ...base,
        kind: 'choice',
        operations: [operation],
        options: (['MAIN', 'CHILD'] as const).map((value) => ({ value, label: t(`childFilter.${value}`) })),
      };
    case 'kind':
      return {
        ...base,
        kind: 'choice',
        operations: [operation],
        options: (['NORMAL', 'PLAYGROUND'] as const).map((value) => ({ value, label: t(`kind.${value}`) })),
      };
    case 'labels':
      return {
        ...base,
        kind: 'pair',
        operations: base.operations.filter((one) => one === 'EQUALS' || one === 'NOT_EQUALS'),
      };
    default:
      return { ...base, kind: 'text' };
  }
}

/** Choosing a namespace includes what is inside it, so its parents are offered too. */
const namespaceOptions = (namespaces: readonly string[]): FilterOption[] =>
  [...new Set(namespaces.flatMap(withParents))].sort().map((value) => ({ value, label: value }));

const unseen = ['SUBMITTED', 'RESUBMITTED', 'BREAKPOINT', 'SKIPPED'];

const stateOptions = (t: TFunction): FilterOption[] =>
  stateTypes
    .filter((state) => !unseen.includes(state))
    .map((state) => ({
      value: state,
      label: t(`state.${state}`),
      content: <StatePill state={state} still />,
    }));

import { Button, Checkbox, Menu } from '@mantine/core';
import type { Flow, StoredTestSuite, TestSuiteResult } from '@millrace/contract';
import { mergeCoverage, readTestSuite } from '@millrace/engine/flow-test';
import { IconDeviceFloppy, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { useUnsavedGuard } from '../../shell/useUnsavedGuard.ts';
import { useStored, writeStored } from '../../storage/storage.ts';
import { CodeEditor, loadMonaco } from '../../ui/code/index.ts';
import { BrokenPart, confirm, EmptyState, Loading, SplitPane } from '../../ui/index.ts';
import { Coverage } from './Coverage.tsx';
import styles from './FlowTests.module.css';
import { recordedQuery, suitesQuery, useDeleteSuite, useRunSuites, useSaveSuite } from './queries.ts';
import { SuiteResults, TestPill } from './SuiteResults.tsx';
import { handedOverSuite, madeHere } from './suiteDraft.ts';
import { firstSuite, freeId, suiteSchema, withId } from './suiteSchema.ts';

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';
const icon = { size: 15, stroke: 1.7 };

/** The test suites of a flow: written, run, and painted on its graph. */
export function FlowTests({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const { suite: chosen, record } = useSearch({ from });
  const navigate = useNavigate({ from });
  const { data, error, refetch } = useQuery(suitesQuery(flow));
  const isHandedOver = record === madeHere;
  const recording = record !== undefined && !isHandedOver;
  const recorded = useQuery({ ...recordedQuery(record ?? ''), enabled: recording });
  const [isNew, setNew] = useState(false);
  const open = (suite: string | undefined) => {
    setNew(false);
    void navigate({ to: '.', search: (old) => ({ ...old, suite, record: undefined }), replace: true });
  };
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (recorded.error) return <BrokenPart error={recorded.error} onRetry={() => void recorded.refetch()} />;
  if (!data || (recording && !recorded.data)) return <Loading />;

  const suites = data.results;
  const taken = suites.map(({ id }) => id);
  const given = isHandedOver ? handedOverSuite() : recorded.data?.source;
  const isFresh = isNew || given !== undefined;
  const stored = isFresh ? undefined : (suites.find(({ id }) => id === chosen) ?? suites[0]);
  const wanted = freeId(`${flow.id}_test`, taken);
  const fresh = given !== undefined ? withId(given, wanted) : isNew ? firstSuite(flow, wanted) : undefined;
  if (!stored && fresh === undefined)
    return (
      <EmptyState
        illustration="wheel"
        title={t('flowTests.empty')}
        text={t('flowTests.emptyText')}
        action={<Button onClick={() => setNew(true)}>{t('flowTests.create')}</Button>}
      />
    );
  return (
    <Workbench
      key={`${stored?.id ?? ''} ${record ?? ''} ${isNew}`}
      flow={flow}
      suites={suites}
      stored={stored}
      initial={stored?.source ?? fresh ?? ''}
      onOpen={open}
      onNew={() => {
        open(undefined);
        setNew(true);
      }}
    />
  );
}

interface WorkbenchProps {
  readonly flow: Flow;
  readonly suites: readonly StoredTestSuite[];
  /** Undefined for a suite that is not saved yet. */
  readonly stored: StoredTestSuite | undefined;
  readonly initial: string;
  onOpen(suite: string | undefined): void;
  onNew(): void;
}

function Workbench({ flow, suites, stored, initial, onOpen, onNew }: WorkbenchProps) {
  const { t } = useTranslation();
  const [source, setSource] = useState(initial);
  const [results, setResults] = useState<readonly TestSuiteResult[]>();
  const save = useSaveSuite();
  const remove = useDeleteSuite();
  const run = useRunSuites();
  const { issues } = useMemo(() => readTestSuite(source), [source]);
  const isDirty = !stored || source !== stored.source;
  useSuiteSchema(flow);
  useUnsavedGuard(
    () => isDirty && source !== initial,
    () => {},
    { text: t('flowTests.leave') },
  );

  const saveText = async (): Promise<StoredTestSuite | undefined> => {
    if (stored && !isDirty) return stored;
    const key = stored && { namespace: stored.namespace, id: stored.id };
    const saved = await save.mutateAsync({ source, key }).catch(() => undefined);
    if (!saved) return undefined;
    showSuccess(t('flowTests.saved', { id: saved.id }));
    if (!stored) onOpen(saved.id);
    return saved;
  };
  const runThis = async () => {
    const saved = await saveText();
    if (!saved) return;
    setResults(await run.mutateAsync({ suite: { namespace: saved.namespace, id: saved.id } }));
  };
  const runMany = async (scope: { namespace: string; flowId?: string }) =>
    setResults(await run.mutateAsync(scope));
  const askDelete = async (suite: StoredTestSuite) => {
    const agreed = await confirm({
      title: t('flowTests.deleteTitle', { id: suite.id }),
      body: t('flowTests.deleteText'),
      confirm: t('action.delete'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (!agreed) return;
    await remove.mutateAsync({ namespace: suite.namespace, id: suite.id });
    onOpen(undefined);
  };

  const known = results ?? (stored?.lastResult ? [stored.lastResult] : []);
  const own = suites.flatMap(({ lastResult }) => lastResult ?? []);
  const shown = [...own.filter((last) => !known.some(({ id }) => id === last.id)), ...known];
  const coverage = mergeCoverage(
    shown
      .filter((each) => each.namespace === flow.namespace && each.flowId === flow.id)
      .map((each) => each.coverage),
  );
  return (
    <div className={styles.tests}>
      <div className={styles.bar}>
        <ul className={styles.list} aria-label={t('flowTests.title')}>
          {suites.map(({ id, lastResult, disabled }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === stored?.id}
                data-disabled={disabled}
                onClick={() => onOpen(id)}
              >
                <code>{id}</code> <TestPill state={lastResult?.state} />
              </button>
            </li>
          ))}
          {!stored && (
            <li>
              <span className={styles.unsaved}>{t('flowTests.unsaved')}</span>
            </li>
          )}
        </ul>
        {stored && (
          <Button size="compact-sm" variant="subtle" leftSection={<IconPlus {...icon} />} onClick={onNew}>
            {t('flowTests.create')}
          </Button>
        )}
        <BeforeSaving />
      </div>
      <SplitPane
        name="flow-tests"
        defaultPercent={52}
        start={
          <div className={styles.editor}>
            <div className={styles.bar}>
              <Button
                size="compact-sm"
                leftSection={<IconPlayerPlay {...icon} />}
                loading={run.isPending}
                disabled={issues.length > 0}
                onClick={() => void runThis()}
              >
                {t(isDirty ? 'flowTests.saveAndRun' : 'flowTests.run')}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconDeviceFloppy {...icon} />}
                loading={save.isPending}
                disabled={issues.length > 0 || !isDirty}
                onClick={() => void saveText()}
              >
                {t('action.save')}
              </Button>
              <Menu position="bottom-start">
                <Menu.Target>
                  <Button size="compact-sm" variant="default" loading={run.isPending}>
                    {t('flowTests.runMore')}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => void runMany({ namespace: flow.namespace, flowId: flow.id })}>
                    {t('flowTests.runFlow', { id: flow.id })}
                  </Menu.Item>
                  <Menu.Item onClick={() => void runMany({ namespace: flow.namespace })}>
                    {t('flowTests.runNamespace', { namespace: flow.namespace })}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
              {stored && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  ml="auto"
                  leftSection={<IconTrash {...icon} />}
                  onClick={() => void askDelete(stored)}
                >
                  {t('action.delete')}
                </Button>
              )}
            </div>
            {save.error && (
              <p className={styles.error} role="alert">
                {save.error.message}
              </p>
            )}
            {issues[0] && (
              <p className={styles.error} role="status">
                {issues[0].path !== '' && <code>{issues[0].path}</code>} {issues[0].message}
              </p>
            )}
            <div className={styles.text}>
              <CodeEditor
                value={source}
                language="yaml"
                path="suite.test.yaml"
                onChange={setSource}
                onSave={() => void saveText()}
                markers={issues}
                ariaLabel={t('flowTests.source')}
              />
            </div>
          </div>
        }
        end={
          <div className={styles.results}>
            {known.length > 0 ? (
              <SuiteResults results={known} />
            ) : (
              <p className={styles.muted}>{t('flowTests.notRunText')}</p>
            )}
            {coverage.length > 0 && <Coverage flow={flow} coverage={coverage} />}
          </div>
        }
      />
    </div>
  );
}

/** Completes suites with the properties they can have and the names of the flow. */
function useSuiteSchema(flow: Flow): void {
  useEffect(() => {
    loadMonaco().then(
      ({ setYamlSchema }) =>
        setYamlSchema({
          uri: 'inmemory://schema/suite.json',
          fileMatch: ['**/*.test.yaml'],
          schema: suiteSchema(flow),
        }),
      () => {}, // The editor itself says that it could not be loaded.
    );
  }, [flow]);
}

/** Whether saving a flow runs its tests first; a choice of this browser. */
function BeforeSaving() {
  const { t } = useTranslation();
  const isOn = useStored('testsBeforeSaving') === 'true';
  return (
    <Checkbox
      ml="auto"
      size="xs"
      label={t('flowTests.beforeSaving')}
      checked={isOn}
      onChange={(event) => writeStored('testsBeforeSaving', event.currentTarget.checked ? 'true' : undefined)}
    />
  );
}

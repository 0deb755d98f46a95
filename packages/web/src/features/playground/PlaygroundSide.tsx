import { Autocomplete, Button, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Input, playground } from '@millrace/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { PlayMode } from '../../state/playTask.ts';
import { KeyHint } from '../../ui/index.ts';
import { Loading } from '../../ui/Loading.tsx';
import { type Choices, InputChoice, keepChoices, optionsOf, readChoices, readMap } from '../dryRun/index.ts';
import styles from './PlaygroundSide.module.css';
import { PlayResult } from './PlayResult.tsx';
import { type FlowName, planQuery, startPlayground } from './queries.ts';
import { StepRow } from './StepRow.tsx';

const planAfterMs = 300;

interface PlaygroundSideProps {
  readonly source: string;
  /** The flow that the text describes, once it does. */
  readonly flow: FlowName | undefined;
  readonly inputs: readonly Input[];
  /** Only a flow that was saved once can run. */
  readonly isSaved: boolean;
  readonly wanted: { readonly taskId: string; readonly mode: PlayMode } | undefined;
  /** Counts how often the user asked for what is already shown: each time it runs. */
  readonly presses: number;
  readonly graph?: ReactNode;
  onMode(mode: PlayMode): void;
}

/** One task of the text in the editor, or the tasks up to it: what would run, and the result. */
export function PlaygroundSide(props: PlaygroundSideProps) {
  const { flow, isSaved, wanted, graph } = props;
  const { t } = useTranslation();
  return (
    <div className={styles.side}>
      {graph && <div className={styles.graph}>{graph}</div>}
      <section className={styles.panel} aria-label={t('playground.title')}>
        {!isSaved || !flow ? (
          <p className={styles.hint}>{t('playground.saveFirst')}</p>
        ) : wanted ? (
          <Play key={`${flow.namespace}/${flow.id}`} {...props} flow={flow} wanted={wanted} />
        ) : (
          <>
            <p className={`${styles.hint} ${styles.withKeys}`}>
              {t('playground.hint')} <KeyHint keys="mod+Enter" />
            </p>
            <p className={`${styles.hint} ${styles.withTouch}`}>
              {t('playground.touchHint', { action: t('playground.executeTask') })}
            </p>
          </>
        )}
      </section>
    </div>
  );
}

interface PlayProps extends PlaygroundSideProps {
  readonly flow: FlowName;
  readonly wanted: NonNullable<PlaygroundSideProps['wanted']>;
}

function Play({ source, flow, inputs, wanted, presses, onMode }: PlayProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const key = `${flow.namespace}/${flow.id}`;
  const [choices, setChoices] = useState<Choices>(() => readChoices(key));
  const [again, setAgain] = useState<readonly string[]>([]);
  const [loopValues, setLoopValues] = useState<Readonly<Record<string, string>>>({});
  const request = requestOf({ source, ...wanted, choices, again, loopValues });
  const [settled] = useDebouncedValue(request, planAfterMs);
  const isSame = settled.taskId === request.taskId && settled.mode === request.mode;
  const plan = useQuery(planQuery(flow, isSame ? settled : request));
  const chosen = plan.data?.taskId ?? wanted.taskId;
  const start = useMutation({
    mutationFn: (_taskId: string) => startPlayground(flow, request),
    onSuccess: () => setAgain([]),
  });
  const run = useEffectEvent(() => {
    if (!start.isPending) start.mutate(chosen);
  });
  const seen = useRef(presses);
  useEffect(() => {
    if (presses === seen.current) return;
    seen.current = presses;
    run();
  }, [presses]);
  const change = (part: Partial<Choices>) => {
    const next = { ...choices, ...part };
    keepChoices(key, next);
    setChoices(next);
  };
  const runsWhole = plan.data && plan.data.taskId !== wanted.taskId;
  const missing = plan.data?.steps.some(({ action }) => action === 'leaveOut');
  const problem = start.error ?? plan.error;
  return (
    <>
      <div className={styles.bar}>
        <code className={styles.target}>{wanted.taskId}</code>
        <SegmentedControl<PlayMode>
          size="xs"
          aria-label={t('playground.extent')}
          data={[
            { value: 'task', label: t('playground.thisTask') },
            { value: 'upTo', label: t('playground.upTo') },
          ]}
          value={wanted.mode}
          onChange={onMode}
        />
        <Button
          size="compact-sm"
          ml="auto"
          leftSection={<IconPlayerPlay size={14} stroke={1.7} />}
          rightSection={<KeyHint keys={wanted.mode === 'task' ? 'mod+Enter' : 'mod+shift+Enter'} />}
          loading={start.isPending}
          onClick={() => run()}
        >
          {t('playground.run')}
        </Button>
      </div>
      <div className={styles.body}>
        {problem && (
          <p className={styles.problem} role="alert">
            {problem.message}
          </p>
        )}
        {start.data && start.variables === chosen && (
          <PlayResult
            key={start.data.id}
            execution={start.data}
            taskId={chosen}
            onEnd={() => void client.invalidateQueries({ queryKey: ['playground'] })}
          />
        )}
        {!plan.data && !plan.error && <Loading />}
        {plan.data && (
          <>
            {runsWhole && <p className={styles.note}>{t('playground.whole', { id: plan.data.taskId })}</p>}
            {missing && <p className={styles.note}>{t('playground.missing')}</p>}
            {plan.data.loops.map(({ taskId, values }) => (
              <Autocomplete
                key={taskId}
                size="xs"
                className={styles.loop}
                label={t('playground.loopValue', { id: taskId })}
                placeholder={t('playground.firstValue')}
                data={values}
                limit={50}
                value={loopValues[taskId] ?? ''}
                onChange={(value) => setLoopValues({ ...loopValues, [taskId]: value })}
              />
            ))}
            <h3 className={styles.heading}>{t('playground.plan')}</h3>
            <ul className={styles.steps}>
              {plan.data.steps.map((step) => (
                <StepRow
                  key={step.taskId}
                  step={step}
                  flow={flow}
                  isChosen={step.taskId === plan.data.taskId}
                  isAgain={again.includes(step.taskId)}
                  pinned={choices.pinned[step.taskId]}
                  onAgain={(isAgain) =>
                    setAgain(
                      isAgain ? [...again, step.taskId] : again.filter((taskId) => taskId !== step.taskId),
                    )
                  }
                  onPin={(text) => {
                    const { [step.taskId]: _, ...others } = choices.pinned;
                    change({ pinned: text === undefined ? others : { ...others, [step.taskId]: text } });
                  }}
                />
              ))}
            </ul>
            {inputs.length > 0 && (
              <details className={styles.part} open={problem !== null}>
                <summary>{t('dryRun.inputs')}</summary>
                <div className={styles.inputs}>
                  {inputs.map((input) => (
                    <InputChoice
                      key={input.id}
                      id={input.id}
                      type={input.type}
                      options={optionsOf(input)}
                      placeholder={t('playground.lastInput')}
                      value={choices.inputs[input.id] ?? ''}
                      onChange={(value) => change({ inputs: { ...choices.inputs, [input.id]: value } })}
                    />
                  ))}
                </div>
              </details>
            )}
          </>
        )}
      </div>
    </>
  );
}

interface Wanted {
  readonly source: string;
  readonly taskId: string;
  readonly mode: PlayMode;
  readonly choices: Choices;
  readonly again: readonly string[];
  readonly loopValues: Readonly<Record<string, string>>;
}

function requestOf({
  source,
  taskId,
  mode,
  choices,
  again,
  loopValues,
}: Wanted): playground.PlaygroundRequest {
  const pins = Object.entries(choices.pinned).flatMap(([id, text]) => {
    const outputs = readMap(text);
    return outputs ? [[id, outputs] as const] : [];
  });
  return {
    source,
    taskId,
    mode,
    pins: Object.fromEntries(pins),
    again: [...again],
    loopValues: given(loopValues),
    inputs: given(choices.inputs),
  };
}

const given = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

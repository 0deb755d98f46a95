import type { AssertionResult, TestCaseResult, TestState, TestSuiteResult } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { stateColours } from '../../ui/values/StatePill.tsx';
import styles from './FlowTests.module.css';

const paint = { SUCCESS: 'SUCCESS', FAILED: 'FAILED', ERROR: 'FAILED', SKIPPED: 'SKIPPED' } as const;

/** The result of a test as a word in the color of the state that it is like. */
export function TestPill({ state }: { state: TestState | undefined }) {
  const { t } = useTranslation();
  if (!state) return <span className={styles.muted}>{t('flowTests.notRun')}</span>;
  return (
    <span className={styles.pill} style={stateColours(paint[state])}>
      {t(`flowTests.state.${state}`)}
    </span>
  );
}

/** The cases of suites, each with the assertions that did not hold. */
export function SuiteResults({ results }: { results: readonly TestSuiteResult[] }) {
  return results.map((result) => (
    <section key={`${result.namespace}/${result.id}`} className={styles.suite}>
      <h3>
        <code>{result.id}</code> <TestPill state={result.state} />
      </h3>
      <ul>
        {result.results.map((testCase) => (
          <Case key={testCase.testId} testCase={testCase} />
        ))}
      </ul>
    </section>
  ));
}

function Case({ testCase }: { testCase: TestCaseResult }) {
  const { t } = useTranslation();
  const { testId, state, errors, assertionResults, assumptions } = testCase;
  const failed = assertionResults.filter(({ isSuccess }) => !isSuccess);
  return (
    <li className={styles.case}>
      <div className={styles.caseRow}>
        <code>{testId}</code>
        {assertionResults.length > 0 && (
          <span className={styles.muted}>
            {t('flowTests.assertions', {
              count: assertionResults.length,
              passed: assertionResults.length - failed.length,
            })}
          </span>
        )}
        <TestPill state={state} />
      </div>
      {errors.map((error) => (
        <p className={styles.error} key={error}>
          {error}
        </p>
      ))}
      {failed.map((assertion, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: assertions have no names, and the list never changes.
        <Failure key={index} assertion={assertion} />
      ))}
      {assumptions.length > 0 && (
        <p className={styles.muted}>{t('flowTests.assumed', { names: assumptions.join(', ') })}</p>
      )}
    </li>
  );
}

function Failure({ assertion }: { assertion: AssertionResult }) {
  const { t } = useTranslation();
  const { operator, expected, actual, taskId, description, errorMessage } = assertion;
  return (
    <div className={styles.error}>
      {(errorMessage ?? description) !== undefined && <p>{errorMessage ?? description}</p>}
      <dl>
        <dt>{t('flowTests.expected')}</dt>
        <dd>
          {taskId !== undefined && `${taskId} `}
          {operator} {JSON.stringify(expected)}
        </dd>
        <dt>{t('flowTests.actual')}</dt>
        <dd>{JSON.stringify(actual)}</dd>
      </dl>
    </div>
  );
}

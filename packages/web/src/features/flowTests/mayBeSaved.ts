import { flowTests } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { call } from '../../api/index.ts';
import { readStored } from '../../storage/storage.ts';
import { confirm } from '../../ui/confirm/confirm.ts';

/** Runs the tests of a flow on its unsaved text when the user wants that; a failing test asks before saving. */
export async function mayBeSaved(source: string, t: TFunction): Promise<boolean> {
  if (readStored('testsBeforeSaving') !== 'true') return true;
  const results = await call(flowTests.runTestSuites, { body: { source }, failures: 'handled' }).then(
    (found) => found.results,
    // Tests that cannot run, such as while the server is away, are no reason to lose work.
    () => [],
  );
  const failed = results.flatMap(({ id, results: cases }) =>
    cases
      .filter(({ state }) => state === 'FAILED' || state === 'ERROR')
      .map(({ testId }) => `${id}: ${testId}`),
  );
  if (failed.length === 0) return true;
  return await confirm({
    title: t('flowTests.failedTitle', { count: failed.length }),
    body: t('flowTests.failedText', { names: failed.slice(0, 10).join(', ') }),
    confirm: t('flowTests.saveAnyway'),
    cancel: t('action.cancel'),
    dangerous: true,
  });
}

import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { useRunSuites } from './queries.ts';
import { SuiteResults } from './SuiteResults.tsx';

/** Runs the tests of all flows of a namespace and those below it, and shows each result. */
export function RunNamespaceTests({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const run = useRunSuites();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    run.reset();
    // The button was disabled while the tests ran, so it had lost the focus before the dialog opened.
    button.current?.focus();
  };
  const failed = run.data?.filter(({ state }) => state === 'FAILED' || state === 'ERROR').length ?? 0;
  return (
    <>
      <Button
        ref={button}
        variant="default"
        leftSection={<IconPlayerPlay size={15} stroke={1.7} />}
        loading={run.isPending}
        onClick={() => run.mutate({ namespace })}
      >
        {t('flowTests.runAll')}
      </Button>
      {run.data && (
        <Dialog
          size="lg"
          onClose={close}
          title={
            run.data.length === 0
              ? t('flowTests.empty')
              : t('flowTests.passed', { passed: run.data.length - failed, total: run.data.length })
          }
        >
          {run.data.length === 0 ? (
            <p>{t('flowTests.emptyNamespace')}</p>
          ) : (
            <SuiteResults results={run.data} />
          )}
        </Dialog>
      )}
    </>
  );
}

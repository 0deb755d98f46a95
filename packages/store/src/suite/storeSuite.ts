import { afterAll, beforeAll, describe } from 'vitest';
import { aggregateTests } from './aggregateTests.ts';
import { commitTests } from './commitTests.ts';
import { dashboardTests } from './dashboardTests.ts';
import { documentTests } from './documentTests.ts';
import { executionTests } from './executionTests.ts';
import { filterTests } from './filterTests.ts';
import { flowTests } from './flowTests.ts';
import { hostileTests } from './hostileTests.ts';
import { kvTests } from './kvTests.ts';
import { logContextTests } from './logContextTests.ts';
import { logDeletionTests } from './logDeletionTests.ts';
import { logTests } from './logTests.ts';
import { longListTests } from './longListTests.ts';
import { metricTests } from './metricTests.ts';
import type { OpenedStore } from './opened.ts';
import { refusalTests } from './refusalTests.ts';
import { reopenTests } from './reopenTests.ts';
import { retentionTests } from './retentionTests.ts';
import { rollUpTests } from './rollUpTests.ts';
import { sessionTests } from './sessionTests.ts';
import { stateTests } from './stateTests.ts';
import { statisticsTests } from './statisticsTests.ts';
import { taskRunListTests } from './taskRunListTests.ts';
import { taskStateTests } from './taskStateTests.ts';
import { templateTests } from './templateTests.ts';
import { testSuiteTests } from './testSuiteTests.ts';
import { triggerListTests } from './triggerListTests.ts';
import { triggerTests } from './triggerTests.ts';
import { windowTests } from './windowTests.ts';

/**
 * The tests that every store must pass. Most of them share one store and use unique names; tests about a
 * whole store open their own.
 */
export function storeSuite(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const subject = () => opened.store;

    commitTests(subject);
    executionTests(subject);
    stateTests(subject);
    taskStateTests(subject);
    logTests(subject);
    logContextTests(subject);
    logDeletionTests(subject);
    metricTests(subject);
    flowTests(subject);
    triggerTests(subject);
    triggerListTests(subject);
    windowTests(subject);
    kvTests(subject);
    templateTests(subject);
    dashboardTests(subject);
    testSuiteTests(subject);
    documentTests(subject);
    sessionTests(subject);
    hostileTests(subject);
    refusalTests(subject);
    filterTests(open);
    longListTests(open);
    rollUpTests(open);
    statisticsTests(open);
    taskRunListTests(open);
    aggregateTests(open);
    retentionTests(open);
    reopenTests(open);
  });
}

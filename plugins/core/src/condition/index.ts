import { dateTimeBetween } from './dateTimeBetween.ts';
import { dayWeek } from './dayWeek.ts';
import { dayWeekInMonth } from './dayWeekInMonth.ts';
import { executionFlow } from './executionFlow.ts';
import { executionLabels } from './executionLabels.ts';
import { executionNamespace } from './executionNamespace.ts';
import { executionOutputs } from './executionOutputs.ts';
import { executionStatus } from './executionStatus.ts';
import { expression } from './expression.ts';
import { flowCondition } from './flowCondition.ts';
import { flowNamespaceCondition } from './flowNamespaceCondition.ts';
import { hasRetryAttempt } from './hasRetryAttempt.ts';
import { multipleCondition } from './multipleCondition.ts';
import { not } from './not.ts';
import { or } from './or.ts';
import { publicHoliday } from './publicHoliday.ts';
import { timeBetween } from './timeBetween.ts';
import { weekend } from './weekend.ts';

export const conditions = [
  dateTimeBetween,
  dayWeek,
  dayWeekInMonth,
  executionFlow,
  executionLabels,
  executionNamespace,
  executionOutputs,
  executionStatus,
  expression,
  flowCondition,
  flowNamespaceCondition,
  hasRetryAttempt,
  multipleCondition,
  not,
  or,
  publicHoliday,
  timeBetween,
  weekend,
] as const;

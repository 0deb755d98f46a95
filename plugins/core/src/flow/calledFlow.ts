import { anything, choice, dateTime, flag, integer, labels, mapOf, text } from '@millrace/plugin-kit';

/** Properties of every task that starts another flow; each task words `transmitFailed` itself. */
export const calledFlow = (words: { readonly transmitFailed: string }) => ({
  namespace: text().describe('The namespace of the flow to start.'),
  flowId: text().describe('The id of the flow to start.'),
  revision: integer({ min: 1 }).optional().describe('The revision to run; the latest when absent.'),
  inputs: mapOf(anything()).optional().describe('The inputs of the started flow.'),
  labels: labels().optional().describe('Labels of the started execution.'),
  inheritLabels: flag().default(false).describe('The started execution also gets the labels of this one.'),
  wait: flag().default(true).describe('Wait for the started execution to end.'),
  transmitFailed: flag().default(true).describe(words.transmitFailed),
  scheduleDate: dateTime().optional().describe('Start then instead of at once.'),
  restartBehavior: choice(['RETRY_FAILED', 'NEW_EXECUTION'])
    .default('RETRY_FAILED')
    .describe('When this execution is restarted: restart the failed one, or start another.'),
});

import { LogLevel } from '@millrace/contract';
import { dateSearch, listSearch, text } from '../../searchParams.ts';

/** What a search of logs keeps in the address of the page that it is on. */
export const logListSearch = {
  ...listSearch,
  ...dateSearch,
  flowId: text,
  triggerId: text,
  level: LogLevel.optional().catch(undefined),
};

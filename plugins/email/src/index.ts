import type { Family } from '@millrace/plugin-kit';
import { emailGroups } from './groups.ts';
import { mailExecution, mailSend } from './mailTasks.ts';
import { mailRealTimeTrigger, mailReceivedTrigger } from './mailTriggers.ts';

/** Mails out by SMTP, and in by IMAP or POP3. */
export const emailFamily: Family = {
  name: 'email',
  groups: emailGroups,
  types: [mailSend, mailExecution, mailReceivedTrigger, mailRealTimeTrigger],
};

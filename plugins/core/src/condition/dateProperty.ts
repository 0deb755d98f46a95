import { choice, text } from '@millrace/plugin-kit';

/** The date that a date condition checks. */
export const dateProperty = () =>
  text().default('{{ trigger.date }}').describe('The date to look at; of the schedule when absent.');

export const dayOfWeek = () =>
  choice(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']);

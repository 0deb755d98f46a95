import { text } from '../../kit/dynamic.ts';

/** The date that a date condition looks at. */
export const dateProperty = () =>
  text().default('{{ trigger.date }}').describe('The date to look at; of the schedule when absent.');

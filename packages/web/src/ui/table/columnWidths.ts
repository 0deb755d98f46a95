import i18next from 'i18next';
import { formatDateTime } from '../../format/date.ts';
import { lettersOf } from '../../format/lettersOf.ts';

/** Room for the word of a state in every language; a phone has its pills smaller. */
export const stateColumnWidth = 'clamp(138px, 15cqw, 160px)';

const LETTER_PX = 7.1;
const PADDING_PX = 24;
/** As long as a date becomes. */
const LONG_DATE = '2026-09-26T22:47:58Z';

/** Room for a whole date as the language and the settings write it. */
export const dateColumnWidth = (): number =>
  Math.ceil(lettersOf(formatDateTime(LONG_DATE, i18next.language || 'en')) * LETTER_PX) + PADDING_PX;

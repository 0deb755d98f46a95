import type { State } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { openTime } from '../../../format/openTime.ts';
import {
  type Column,
  DateAgo,
  DateTime,
  dateColumnWidth,
  StatePill,
  stateColumnWidth,
  TimeOpen,
} from '../../../ui/index.ts';

/** An execution and a task run are both something that ran. */
interface Ran {
  state: State;
}

export const stateColumn = (t: TFunction): Column<Ran> => ({
  id: 'state',
  header: t('execution.state'),
  cell: ({ state }) => <StatePill state={state.current} />,
  sortField: 'state.current',
  width: stateColumnWidth,
  identifies: true,
});

/** When it began, when it ended, how long it took. */
export const timeColumns = <Row extends Ran>(t: TFunction): Column<Row>[] => [
  {
    id: 'start',
    header: t('execution.start'),
    cell: ({ state }) => <DateAgo value={state.startDate} />,
    sortField: 'state.startDate',
    width: 142,
    hideBelow: 'sm',
  },
  {
    id: 'end',
    header: t('execution.end'),
    cell: ({ state }) => state.endDate && <DateTime value={state.endDate} />,
    sortField: 'state.endDate',
    width: dateColumnWidth(),
    optional: true,
  },
  {
    id: 'duration',
    header: t('execution.duration'),
    cell: ({ state }) => <TimeOpen time={openTime(state)} />,
    sortField: 'state.duration',
    width: 120,
    hideBelow: 'md',
  },
];

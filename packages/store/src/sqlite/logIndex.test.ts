import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileLogFilters } from '../filters/logFilters.ts';
import { sqliteDialect } from '../filters/sqliteDialect.ts';
import { encodeLog } from '../rows/logRow.ts';
import { aLog, temporaryFolder } from '../suite/index.ts';
import { LogIndex } from './logIndex.ts';
import { migrateSqlite } from './migrate.ts';
import type { Database } from './openDatabase.ts';
import { openForReading } from './openForReading.ts';
import { openForWriting } from './openForWriting.ts';
import { codeOf, statementList } from './statements.ts';

describe('log index', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let writing: Database;
  let reading: Database;
  beforeEach(() => {
    folder = temporaryFolder();
    const file = join(folder.path, 'logs.db');
    migrateSqlite(file);
    writing = openForWriting(file);
    reading = openForReading(file, 1_000);
  });
  afterEach(() => {
    reading.close();
    writing.close();
    folder.remove();
  });

  const run = (name: Parameters<typeof codeOf>[0], ...params: (string | number | null)[]) =>
    writing.prepare(statementList[codeOf(name)]?.text ?? '').run(...params);
  const say = (id: number, message: string) =>
    run('insertLog', id, ...encodeLog(aLog({ executionId: `e${id % 2}`, message })));
  const search = (q: string) => {
    const where = compileLogFilters([{ field: 'q', operation: 'EQUALS', value: q }], sqliteDialect);
    const rows = reading.prepare(`SELECT id FROM logs WHERE ${where.text} ORDER BY id`).all(...where.params);
    return (rows as { id: number }[]).map((row) => row.id);
  };
  const questions = ['load', 'LOAD 42', 'oad', 'ünïc', 'table-on', 'hello', '"', 'NEAR', 'a OR b', 'load*'];

  it('finds the same before an entry is indexed, half-way and after', () => {
    const messages = [
      'Loaded 42 rows',
      'loading',
      'Ünïcode',
      'Table-One',
      'near a or b',
      'upload',
      'tableone',
    ];
    const firstHalf = messages.slice(0, 3);
    firstHalf.forEach((message, index) => {
      say(index + 1, message);
    });
    const logIndex = new LogIndex(writing);
    expect(logIndex.step()).toBe(false);
    messages.slice(3).forEach((message, index) => {
      say(index + 4, message);
    });
    const halfWay = questions.map(search);
    expect(halfWay[0]).toEqual([1, 2]);
    expect(halfWay[4]).toEqual([4]);
    writing.exec("INSERT INTO log_search (log_search) VALUES ('delete-all')");
    writing.exec('UPDATE log_search_position SET last_id = 0');
    expect(questions.map(search)).toEqual(halfWay);
    logIndex.step();
    expect(questions.map(search)).toEqual(halfWay);
  });

  it('takes long backlogs in steps', () => {
    writing.exec('BEGIN');
    for (let id = 1; id <= 2_100; id++) say(id, id < 1_000 ? `entry ${id}` : 'other');
    writing.exec('COMMIT');
    const logIndex = new LogIndex(writing);
    const steps = [logIndex.step(), logIndex.step(), logIndex.step(), logIndex.step()];
    expect(steps).toEqual([true, true, false, false]);
    expect(search('entry 77')).toEqual([77, 770, 771, 772, 773, 774, 775, 776, 777, 778, 779]);
  });

  it('forgets entries that are deleted, indexed or not', () => {
    const logIndex = new LogIndex(writing);
    say(1, 'first');
    say(2, 'first');
    logIndex.step();
    say(3, 'first');
    run('deleteLogSearch', 'e1');
    run('deleteLogs', 'e1');
    expect(search('first')).toEqual([2]);
    logIndex.step();
    expect(search('first')).toEqual([2]);
  });
});

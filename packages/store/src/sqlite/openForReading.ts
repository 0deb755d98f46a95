import { RE2JS } from 're2js';
import { searchText } from '../rows/searchText.ts';
import { decodeText } from '../rows/text.ts';
import { type Database, openDatabase } from './openDatabase.ts';

/** A reading connection, with the functions that filters use. */
export function openForReading(file: string, cacheKilobytes: number): Database {
  const database = openDatabase(file, { readOnly: true });
  database.exec(`PRAGMA cache_size = -${cacheKilobytes}`);
  database.exec('PRAGMA temp_store = MEMORY');
  addFilterFunctions(database);
  return database;
}

function addFilterFunctions(database: Database): void {
  let pattern = '';
  let compiled = RE2JS.compile(pattern);
  database.function('matches_pattern', { deterministic: true }, (asked: string, text: string | null) => {
    if (text === null) return 0;
    if (asked !== pattern) {
      compiled = RE2JS.compile(asked);
      pattern = asked;
    }
    return compiled.matcher(decodeText(text)).find() ? 1 : 0;
  });
  database.function(
    'has_words',
    { deterministic: true, varargs: true },
    (words: string, ...values: (string | null)[]) => {
      const text = searchText(...values.map((value) => (value === null ? undefined : decodeText(value))));
      return words.split('\n').every((word) => text.includes(word)) ? 1 : 0;
    },
  );
}

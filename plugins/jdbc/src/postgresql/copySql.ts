import { TaskFailed } from '@millrace/plugin-kit';

export interface CopyChoice {
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly sql?: string | undefined;
  readonly format: 'TEXT' | 'CSV' | 'BINARY';
  readonly oids?: boolean | undefined;
  readonly freeze?: boolean | undefined;
  readonly delimiter?: string | undefined;
  readonly nullString?: string | undefined;
  readonly header?: boolean | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  readonly forceQuote?: readonly string[] | undefined;
  readonly forceNotNull?: readonly string[] | undefined;
  readonly forceNull?: readonly string[] | undefined;
  readonly encoding?: string | undefined;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const columnList = (names: readonly string[]): string => `(${names.join(', ')})`;

/** The COPY statement; options that are not given are left to the server. */
export function copySql(choice: CopyChoice, direction: 'FROM STDIN' | 'TO STDOUT'): string {
  const options = [
    choice.format !== 'TEXT' && `FORMAT ${choice.format}`,
    flag('OIDS', choice.oids),
    flag('FREEZE', choice.freeze),
    value('DELIMITER', choice.delimiter),
    value('NULL', choice.nullString),
    flag('HEADER', choice.header),
    value('QUOTE', choice.quote),
    value('ESCAPE', choice.escape),
    choice.forceQuote &&
      `FORCE_QUOTE ${choice.forceQuote.includes('*') ? '*' : columnList(choice.forceQuote)}`,
    choice.forceNotNull && `FORCE_NOT_NULL ${columnList(choice.forceNotNull)}`,
    choice.forceNull && `FORCE_NULL ${columnList(choice.forceNull)}`,
    value('ENCODING', choice.encoding),
  ].filter((option) => typeof option === 'string');
  return `COPY ${sourceOf(choice)} ${direction}${options.length > 0 ? ` WITH (${options.join(', ')})` : ''}`;
}

const flag = (name: string, isOn: boolean | undefined) => isOn !== undefined && `${name} ${isOn}`;
const value = (name: string, text: string | undefined) => text !== undefined && `${name} ${literal(text)}`;

function sourceOf({ table, columns, sql }: CopyChoice): string {
  if (sql !== undefined) return `(${sql.trim().replace(/;+\s*$/, '')})`;
  if (table === undefined) throw new TaskFailed('Either "table" or "sql" must be given.', { retry: false });
  return columns === undefined ? table : `${table} ${columnList(columns)}`;
}

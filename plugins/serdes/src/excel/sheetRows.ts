import { double, LocalDate, LocalDateTime } from '@millrace/expression';
import { importModule } from '@millrace/plugin-kit';
import type { XmlEvent } from './readXml.ts';
import type { Workbook } from './workbookFile.ts';

export interface CellChoice {
  readonly valueRender: 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';
  readonly dateTimeRender: 'SERIAL_NUMBER' | 'FORMATTED_STRING' | 'UNFORMATTED_VALUE';
}

type Numfmt = Pick<typeof import('numfmt'), 'format' | 'isDateFormat'>;

/** The rows of a sheet as lists of cells; cells that are absent are null. */
export async function* sheetRows(
  events: AsyncIterable<XmlEvent>,
  workbook: Workbook,
  choice: CellChoice,
): AsyncGenerator<unknown[]> {
  const toValue = createCellReader(await importModule<Numfmt>('numfmt'), workbook, choice);
  let row: unknown[] = [];
  let cell: Cell | undefined;
  let isText = false;
  let isFormula = false;
  for await (const event of events) {
    if (event.kind === 'text') {
      if (cell && isText) cell.text += event.text;
      if (cell && isFormula) cell.formula += event.text;
      continue;
    }
    const isOpen = event.kind === 'open';
    if (event.name === 'row') {
      if (isOpen) row = [];
      else yield row;
    } else if (event.name === 'c') {
      if (event.kind === 'open') cell = openCell(event.attributes, row.length);
      else if (cell) {
        while (row.length < cell.column) row.push(null);
        row[cell.column] = toValue(cell);
        cell = undefined;
      }
    } else if (event.name === 'v' || event.name === 't') isText = isOpen;
    else if (event.name === 'f') isFormula = isOpen;
  }
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
  formula: string;
}

const maxColumns = 16_384;

function openCell(attributes: Readonly<Record<string, string>>, next: number): Cell {
  const letters = /^[A-Z]+/.exec(attributes.r ?? '')?.[0];
  const named = letters
    ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    : next;
  const column = Math.min(named, maxColumns - 1);
  return { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: '', formula: '' };
}

function createCellReader(numfmt: Numfmt, workbook: Workbook, choice: CellChoice): (cell: Cell) => unknown {
  const { texts, formats, startsIn1904 } = workbook;
  const dateOptions = startsIn1904 ? { dateSpanLarge: true } : {};
  return (cell) => {
    if (choice.valueRender === 'FORMULA' && cell.formula !== '') return `=${cell.formula}`;
    switch (cell.type) {
      case 's':
        return texts[Number(cell.text)] ?? null;
      case 'b':
        return choice.valueRender === 'FORMATTED_VALUE'
          ? cell.text === '1'
            ? 'TRUE'
            : 'FALSE'
          : cell.text === '1';
      case 'str':
      case 'inlineStr':
      case 'd':
      case 'e':
        return cell.text;
    }
    if (cell.text === '') return null;
    const serial = Number(cell.text) + (startsIn1904 ? 1462 : 0);
    const format = formats[cell.style] ?? 'General';
    if (numfmt.isDateFormat(format)) return readDate(serial, format);
    return choice.valueRender === 'FORMATTED_VALUE'
      ? numfmt.format(format, serial, dateOptions)
      : double(Number(cell.text));
  };

  function readDate(serial: number, format: string): unknown {
    if (choice.dateTimeRender === 'SERIAL_NUMBER') return double(serial);
    if (choice.dateTimeRender === 'FORMATTED_STRING' || choice.valueRender === 'FORMATTED_VALUE')
      return numfmt.format(format, serial, dateOptions);
    return isoDate(serial);
  }
}

/** The day 60 is a day that never was, which Excel has for the sake of an older program. */
function isoDate(serial: number): string {
  const day = Math.floor(serial) - (serial >= 60 ? 25_569 : 25_568);
  const milliseconds = Math.round((serial - Math.floor(serial)) * 86_400_000);
  if (milliseconds === 0) return new LocalDate(day).toString();
  const second = day * 86_400 + Math.floor(milliseconds / 1000);
  return new LocalDateTime(second, (milliseconds % 1000) * 1_000_000).toString();
}

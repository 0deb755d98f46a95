import { importModule, TaskFailed } from '@millrace/plugin-kit';
import type { Entry, ZipFile } from 'yauzl';
import { readXml, type XmlEvent } from './readXml.ts';

type Yauzl = typeof import('yauzl');

export interface Sheet {
  readonly title: string;
  readonly path: string;
}

/** The shared parts of a workbook are in memory; the sheets are streamed. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly texts: readonly string[];
  /** The number format of each cell style. */
  readonly formats: readonly string[];
  readonly startsIn1904: boolean;
  readSheet(sheet: Sheet): AsyncGenerator<XmlEvent>;
  close(): void;
}

/** All texts of a workbook together may have this many characters. */
const maxTextLength = 256 * 1024 * 1024;

const builtInFormats = new Map<number, string>([
  [0, 'General'],
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'm/d/yyyy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yyyy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
  [49, '@'],
]);

export async function openWorkbook(path: string): Promise<Workbook> {
  const module = await importModule<Yauzl & { default?: Yauzl }>('yauzl');
  let zip: ZipFile;
  try {
    zip = await (module.default ?? module).openPromise(path, { autoClose: false });
  } catch (cause) {
    throw new TaskFailed('The file is no Excel workbook (.xlsx).', { retry: false, cause });
  }
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const read = async function* (name: string): AsyncGenerator<XmlEvent> {
    const entry = entries.get(name);
    if (entry) yield* readXml((await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>);
  };
  try {
    const { sheets, startsIn1904 } = await readSheets(read);
    return {
      sheets,
      startsIn1904,
      texts: await readTexts(read('xl/sharedStrings.xml')),
      formats: await readFormats(read('xl/styles.xml')),
      readSheet: (sheet) => read(sheet.path),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

type Read = (name: string) => AsyncGenerator<XmlEvent>;

async function readSheets(read: Read): Promise<{ sheets: Sheet[]; startsIn1904: boolean }> {
  const targets = new Map<string, string>();
  for await (const event of read('xl/_rels/workbook.xml.rels'))
    if (event.kind === 'open' && event.name === 'Relationship')
      targets.set(event.attributes.Id ?? '', event.attributes.Target ?? '');
  const sheets: Sheet[] = [];
  let startsIn1904 = false;
  for await (const event of read('xl/workbook.xml')) {
    if (event.kind !== 'open') continue;
    if (event.name === 'workbookPr') startsIn1904 = /^(1|true)$/.test(event.attributes.date1904 ?? '');
    if (event.name !== 'sheet') continue;
    const target = targets.get(event.attributes['r:id'] ?? '') ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    sheets.push({ title: event.attributes.name ?? '', path });
  }
  if (sheets.length === 0) throw new TaskFailed('The file is no Excel workbook (.xlsx).', { retry: false });
  return { sheets, startsIn1904 };
}

async function readTexts(events: AsyncIterable<XmlEvent>): Promise<string[]> {
  const texts: string[] = [];
  let current = '';
  let length = 0;
  let isText = false;
  let isPhonetic = false;
  for await (const event of events) {
    if (event.kind === 'text') {
      if (isText && !isPhonetic) current += event.text;
    } else if (event.name === 'si') {
      if (event.kind === 'open') current = '';
      else {
        length += current.length;
        if (length > maxTextLength) throw new TaskFailed('The workbook has too much text.', { retry: false });
        texts.push(current);
      }
    } else if (event.name === 't') isText = event.kind === 'open';
    else if (event.name === 'rPh') isPhonetic = event.kind === 'open';
  }
  return texts;
}

async function readFormats(events: AsyncIterable<XmlEvent>): Promise<string[]> {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let isInCells = false;
  for await (const event of events) {
    if (event.kind === 'text') continue;
    if (event.name === 'cellXfs') isInCells = event.kind === 'open';
    if (event.kind !== 'open') continue;
    if (event.name === 'numFmt')
      own.set(Number(event.attributes.numFmtId), event.attributes.formatCode ?? 'General');
    if (event.name === 'xf' && isInCells) {
      const id = Number(event.attributes.numFmtId ?? 0);
      formats.push(own.get(id) ?? builtInFormats.get(id) ?? 'General');
    }
  }
  return formats;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const package_ = 'http://schemas.openxmlformats.org/package/2006';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The styles that a cell can name. */
export const cellStyles = { date: 1, time: 2, dateTime: 3 } as const;

export const sheetStart = `${declaration}<worksheet xmlns="${main}"><sheetData>`;
export const sheetEnd = '</sheetData></worksheet>';

/** Text for an element; characters that XML cannot have are replaced. */
export const xmlText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

export function contentTypes(sheetCount: number): string {
  const sheets = Array.from(
    { length: sheetCount },
    (_, at) =>
      `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  );
  return `${declaration}<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>${sheets.join('')}<Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`;
}

export function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${package_}/relationships">${all.join('')}</Relationships>`;
}

export function workbookXml(titles: readonly string[]): string {
  const sheets = titles.map(
    (title, at) => `<sheet name="${xmlText(title)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

export function stylesXml(formats: {
  dateFormat: string;
  timeFormat: string;
  dateTimeFormat: string;
}): string {
  const patterns = [formats.dateFormat, formats.timeFormat, formats.dateTimeFormat].map(toExcelFormat);
  const numFmts = patterns.map(
    (pattern, at) => `<numFmt numFmtId="${164 + at}" formatCode="${xmlText(pattern)}"/>`,
  );
  const xfs = [0, 164, 165, 166].map(
    (id) =>
      `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"${id ? ' applyNumberFormat="1"' : ''}/>`,
  );
  return `${declaration}<styleSheet xmlns="${main}"><numFmts count="3">${numFmts.join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4">${xfs.join('')}</cellXfs></styleSheet>`;
}

/** Converts a Java date pattern to Excel's: Excel has no zones, and its months and minutes are both `m`. */
function toExcelFormat(pattern: string): string {
  return pattern
    .replace(/\[[^\]]*[XxZzVO][^\]]*\]/g, '')
    .replace(/[[\]]/g, '')
    .replace(/'([^']*)'/g, '"$1"')
    .replace(/[XxZzVO]+/g, '')
    .replace(/M/g, 'm')
    .replace(/H/g, 'h')
    .replace(/S/g, '0')
    .replace(/a/g, 'AM/PM');
}

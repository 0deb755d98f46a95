import {
  type Received,
  type Reply,
  refusal,
  serviceAccount,
  startGoogle,
} from '@millrace/plugin-gcp/testing';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { load } from './load.ts';
import { read, readRange } from './read.ts';
import { createSpreadsheet, deleteSpreadsheet } from './spreadsheets.ts';
import { sheetModifiedTrigger } from './trigger.ts';

const id = 'sheet1';

/** One spreadsheet with two sheets. */
function aSpreadsheet(values: Record<string, unknown[][]>) {
  const state = { values, modifiedTime: '2026-01-31T08:00:00.000Z' };
  const handle = ({ host, path, method, json }: Received): Reply => {
    if (host === 'www.googleapis.com') {
      if (method === 'DELETE') return { status: 204 };
      return path.endsWith('/revisions')
        ? { body: { revisions: [{ id: '1' }, { id: '7' }] } }
        : {
            body: {
              id,
              name: 'Orders',
              modifiedTime: state.modifiedTime,
              lastModifyingUser: { emailAddress: 'ada@example.com' },
            },
          };
    }
    if (host !== 'sheets.googleapis.com') return refusal(404, 'no');
    if (path === '/v4/spreadsheets')
      return { body: { spreadsheetId: id, spreadsheetUrl: `https://docs.google.com/${id}` } };
    const range = decodeURIComponent(path.split('/values/')[1] ?? '');
    if (range === '')
      return { body: { sheets: Object.keys(state.values).map((title) => ({ properties: { title } })) } };
    const name = range.split(/[!:]/)[0]?.replace(/^'|'$/g, '') ?? '';
    if (method === 'GET')
      return name in state.values || name === 'A'
        ? { body: { values: state.values[name] } }
        : refusal(400, `Unable to parse range: ${range}`);
    const rows = (json.values ?? []) as unknown[][];
    const written = {
      updatedRange: `${name}!A1:B${rows.length}`,
      updatedRows: rows.length,
      updatedColumns: rows[0]?.length,
    };
    if (range.endsWith(':clear')) state.values[name] = [];
    else if (range.endsWith(':append')) state.values[name] = [...(state.values[name] ?? []), ...rows];
    else state.values[name] = rows;
    return { body: range.endsWith(':append') ? { updates: written } : written };
  };
  return { state, handle };
}

const orders = () => ({
  Orders: [['id', 'name'], [1, 'Ada'], [2]],
  'Other sheet': [['x'], [true]],
});

async function aSheet() {
  const { state, handle } = aSpreadsheet(orders());
  return { state, ...(await startGoogle(handle)) };
}

test('Read returns all sheets, or those that are named', async () => {
  const { run, context, received } = await aSheet();
  expect(await run(read, { spreadsheetId: id, fetch: true })).toEqual({
    size: 3,
    rows: {
      Orders: [
        { id: 1, name: 'Ada' },
        { id: 2, name: null },
      ],
      'Other sheet': [{ x: true }],
    },
  });
  expect(Object.fromEntries(received.at(-1)?.query ?? [])).toEqual({
    valueRenderOption: 'UNFORMATTED_VALUE',
    dateTimeRenderOption: 'FORMATTED_STRING',
    majorDimension: 'ROWS',
  });
  const { uris } = await run(read, { spreadsheetId: id, selectedSheetsTitle: ['Orders'] });
  expect(await context.files.text((uris as Record<string, string>).Orders ?? '')).toBe(
    '{"id":1,"name":"Ada"}\n{"id":2,"name":null}\n',
  );
  await expect(run(read, { spreadsheetId: id, selectedSheetsTitle: ['None'] })).rejects.toThrow(
    'The spreadsheet has no sheet "None"; it has "Orders", "Other sheet".',
  );
});

test('ReadRange returns cells without a header', async () => {
  const { run } = await aSheet();
  expect(
    await run(readRange, { spreadsheetId: id, range: 'Orders!A1:B', header: false, fetch: true }),
  ).toEqual({
    size: 3,
    rows: [['id', 'name'], [1, 'Ada'], [2]],
  });
});

describe('Load', () => {
  test('writes rows with a header, over or below those that are there', async () => {
    const { run, context, state, received } = await aSheet();
    const from = await context.files.put(
      'rows.ion',
      '{"id":3,"day":2026-01-31,"tags":["a"]}\n{"id":4,"day":null,"tags":[]}\n',
    );
    const outputs = await run(load, {
      spreadsheetId: id,
      from,
      range: 'Orders',
      insertType: 'OVERWRITE',
      header: true,
    });
    expect(outputs).toEqual({ range: 'Orders!A1:B3', rows: 3, columns: 3 });
    expect(state.values.Orders).toEqual([
      ['id', 'day', 'tags'],
      [3, '2026-01-31', '["a"]'],
      [4, '', '[]'],
    ]);
    expect(received.map(({ method, query }) => [method, query.get('valueInputOption')])).toEqual([
      ['POST', null],
      ['PUT', 'RAW'],
    ]);
    await run(load, { spreadsheetId: id, from, range: 'Orders', insertType: 'APPEND' });
    expect(state.values.Orders).toHaveLength(5);
    expect(received.at(-1)?.query.get('insertDataOption')).toBe('INSERT_ROWS');
  });

  test('reads CSV files with the task for them', async () => {
    const { aContext, state } = await aSheet();
    const nested: unknown[] = [];
    const context = aContext({
      runNested: async (task) => {
        nested.push(task);
        return { uri: await context.files.put('x.ion', '["id","zip"]\n["1","01234"]\n') };
      },
    });
    const from = await context.files.put('a.csv', 'unused');
    const options = {
      serviceAccount,
      spreadsheetId: id,
      from,
      range: 'Orders',
      csvOptions: { fieldDelimiter: ';', skipLeadingRows: 1 },
    };
    await runType(load, options, context);
    expect(nested).toEqual([
      { type: 'serdes.csv.CsvToIon', from, header: false, fieldSeparator: ';', charset: 'UTF-8' },
    ]);
    expect(state.values.Orders).toEqual([[1, '01234']]);
    await expect(runType(load, { ...options, format: 'ORC' }, context)).rejects.toThrow(
      'ORC files cannot be read here',
    );
  });
});

test('spreadsheets are created and deleted', async () => {
  const { run, received } = await aSheet();
  expect(await run(createSpreadsheet, { title: 'New' })).toEqual({
    spreadsheetId: id,
    spreadsheetUrl: `https://docs.google.com/${id}`,
  });
  expect(received[0]?.json).toEqual({ properties: { title: 'New' } });
  expect(await run(deleteSpreadsheet, { spreadsheetId: id })).toEqual({ spreadsheetId: id });
  expect(received[1]).toMatchObject({
    method: 'DELETE',
    host: 'www.googleapis.com',
    path: `/drive/v3/files/${id}`,
  });
});

describe('SheetModifiedTrigger', () => {
  test('starts when the spreadsheet changes', async () => {
    const { poll, state } = await aSheet();
    const properties = { spreadsheetId: id, on: 'UPDATE' };
    expect(await poll(sheetModifiedTrigger, properties)).toBeUndefined();
    expect(await poll(sheetModifiedTrigger, properties)).toBeUndefined();
    state.modifiedTime = '2026-01-31T09:00:00.000Z';
    expect(await poll(sheetModifiedTrigger, properties)).toEqual({
      count: 1,
      modifications: [
        {
          revisionId: '7',
          modifiedTime: '2026-01-31T09:00:00.000Z',
          spreadsheetTitle: 'Orders',
          spreadsheetId: id,
          lastModifyingUser: 'ada@example.com',
        },
      ],
    });
    expect(await poll(sheetModifiedTrigger, properties)).toBeUndefined();
  });

  test('only the cells that are named count', async () => {
    const { poll, state } = await aSheet();
    const properties = {
      spreadsheetId: id,
      sheetName: 'Orders',
      range: 'A1:B9',
      includeDetails: true,
      on: 'UPDATE',
    };
    expect(await poll(sheetModifiedTrigger, properties)).toBeUndefined();
    state.modifiedTime = '2026-01-31T09:00:00.000Z';
    expect(await poll(sheetModifiedTrigger, properties)).toBeUndefined();
    state.values.Orders?.push([3, 'Grace']);
    expect(await poll(sheetModifiedTrigger, properties)).toMatchObject({
      modifications: [
        {
          sheetName: 'Orders',
          changeDetails: { affectedRange: "'Orders'!A1:B9", rowCount: 4, columnCount: 2, hasData: true },
        },
      ],
    });
  });
});
